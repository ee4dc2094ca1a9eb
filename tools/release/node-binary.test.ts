import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NODE } from './node-binary.ts'

it('a release brings the Node that the tests run on', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    devDependencies: Record<string, string>
  }
  expect(NODE).toBe(devDependencies['node'])
})
