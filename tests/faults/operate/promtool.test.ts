import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

// `apt-get install prometheus` brings promtool.
it.runIf(process.env['OPERATE'] === '1')('the alerts are valid, and fire when they should', () => {
  const promtool = (...given: string[]) => execFileSync('promtool', given, { encoding: 'utf8' })
  expect(promtool('check', 'rules', 'deploy/watch/alerts.yml')).toContain('SUCCESS')
  expect(promtool('test', 'rules', 'deploy/watch/alerts.test.yml')).toContain('SUCCESS')
})
