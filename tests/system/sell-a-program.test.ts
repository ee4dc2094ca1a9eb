import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { orderHost } from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { suspend } from '#features/licences/server/suspensions.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { buyer } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const guide = readFileSync('docs/sell-a-program.md', 'utf8')
const codeOf = (fence: string) =>
  must(new RegExp(`\`\`\`${fence}\\n(.*?)\`\`\``, 's').exec(guide)?.[1], `a block ${fence} in the guide`)

const test = await startTestApp()
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-program-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => path.join(folder, name)

const hasGo = (() => {
  try {
    return execFileSync('go', ['version']).length > 0
  } catch {
    return false
  }
})()

it.skipIf(!hasGo)('the guide for programs sells one, in at most 40 lines of its program', async () => {
  const program = codeOf('go')
  const written = program.split('\n').filter((line) => line.trim() !== '').length
  expect(written).toBeLessThanOrEqual(40)
  for (const name of ['product.json', 'edition.json']) writeFileSync(at(name), codeOf(`json ${name}`))
  const lines = codeOf('sh')
    .split('\n')
    .filter((line) => line.startsWith('hostdesk '))
  const { config, log, ownerUrl } = test.app
  const here = { config, log, ownerUrl, close: async () => {} }
  for (const line of lines) {
    const [, group = '', name = '', ...rest] = line.split(' ')
    const place = rest.indexOf('--edition')
    const parameters = (place < 0 ? rest : rest.slice(0, place)).map((one) =>
      one.endsWith('.json') ? at(one) : one,
    )
    const options = place < 0 ? {} : { edition: must(rest[place + 1]) }
    await must(commands[`${group} ${name}`]).run(here, parameters, options)
  }
  writeFileSync(at('main.go'), program)
  mkdirSync(at('licence'))
  copyFileSync('agent/libraries/go/licence.go', at('licence/licence.go'))
  writeFileSync(at('go.mod'), 'module hostdesk\n\ngo 1.19\n')
  writeFileSync(at('jwks.json'), await (await fetch(`${test.url}/.well-known/jwks.json`)).text())
  const built = execFileSync('go', ['build', '-o', 'agent', '.'], { cwd: folder, encoding: 'utf8' })
  expect(built).toBe('')

  const customer = await buyer(test, 10_000n)
  const order = { plan: 'agent-team-year', expected_total: toMoney(5831n, 'EUR') }
  const ordered = await customer.api.call(orderHost, {
    headers: { 'idempotency-key': 'guide' },
    body: order,
  })
  const { host } = bodyOf(ordered, 201)
  const run = (key: string) =>
    new Promise<string>((resolve) => {
      execFile(at('agent'), [test.url, key], { cwd: folder }, (_error, said) => resolve(said.trim()))
    })
  expect(await run(host.licence_key)).toBe('valid valid valid')
  await suspend(test.app, {}, host.id, { reason: 'abuse', text: '', note: 'x' })
  expect(await run(host.licence_key)).toBe('not_licensed suspended suspended')
  expect(await run('ABCDE-FGHIJ-KLMNO-PQRST-UVWXY')).toBe('not_licensed other_licence_key not_found')
})
