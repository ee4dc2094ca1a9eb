import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LONGEST } from './longest-first.ts'

it('the files that take longest are there under these names', () => {
  expect(LONGEST.filter((file) => !existsSync(file))).toEqual([])
})
