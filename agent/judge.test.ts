import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { vectorCases } from '#tests/libraries/cases/cases.ts'
import { publicKeys } from '#tests/libraries/documents.ts'
import { vectorsText } from '#tests/libraries/make-vectors.ts'
import { judge } from './judge.mjs'

it('L-26 the shared cases are those that `node tests/libraries/make-vectors.ts` writes, 200 at least', () => {
  expect(readFileSync('agent/vectors.json', 'utf8')).toBe(vectorsText())
  expect(vectorCases().length).toBeGreaterThanOrEqual(200)
})

// The libraries of other languages are tested in tests/system/libraries.test.ts.
describe('L-26 the library for JavaScript answers each shared case', () => {
  it.each(vectorCases())('$name', ({ document, expected, answer }) => {
    const { verdict, reason, plan, entitlements } = judge(document, { keys: publicKeys, ...expected })
    expect({ verdict, reason, plan, entitlements }).toEqual(answer)
  })
})
