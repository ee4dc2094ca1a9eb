import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LONGEST } from './longest-first.ts'

it('each file in the list of the slowest test files exists', () => {
  expect(LONGEST.filter((file) => !existsSync(file))).toEqual([])
})
