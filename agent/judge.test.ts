import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { vectorCases } from '#tests/libraries/cases/cases.ts'
import { publicKeys } from '#tests/libraries/documents.ts'
import { vectorsText } from '#tests/libraries/make-vectors.ts'
import { isInstalled, languages, runCases } from '#tests/libraries/languages.ts'
import { runGuide } from '#tests/libraries/guide.ts'
import { judge } from './judge.mjs'

// Go compiles first, on a busy machine for long.
const COMPILED_MS = 180_000

it('L-26 the shared cases are those that `node tests/libraries/make-vectors.ts` writes, 200 at least', () => {
  expect(readFileSync('agent/vectors.json', 'utf8')).toBe(vectorsText())
  expect(vectorCases().length).toBeGreaterThanOrEqual(200)
})

describe('L-26 the library for JavaScript answers each shared case', () => {
  it.each(vectorCases())('$name', ({ document, expected, answer }) => {
    const { verdict, reason, plan, entitlements } = judge(document, { keys: publicKeys, ...expected })
    expect({ verdict, reason, plan, entitlements }).toEqual(answer)
  })
})

// A machine for development need not have them; `npm run test:libraries` names those that are missing.
describe('L-26 the libraries of other languages answer all shared cases', () => {
  it.for(languages.filter(isInstalled))('$name', { timeout: COMPILED_MS }, (language) => {
    expect(runCases(language)).toEqual({
      passed: true,
      output: `${vectorCases().length} of ${vectorCases().length}`,
    })
  })
  it('that are installed', () => {
    expect(languages.map(({ name }) => name)).toEqual(['Python', 'Go', 'PHP'])
  })
})

describe('L-26 the programs of the vendors’ guide run as they stand there', () => {
  const installed = ['js', ...languages.filter(isInstalled).map(({ name }) => name.toLowerCase())]
  it.for(installed)('%s', { timeout: COMPILED_MS }, (language) => {
    expect(runGuide(language)).toBe('valid valid standard-month 5')
  })
})
