import { describe, expect, it } from 'vitest'
import { vectorCases } from '#tests/libraries/cases/cases.ts'
import { runGuide } from '#tests/libraries/guide.ts'
import { isInstalled, languages, runCases } from '#tests/libraries/languages.ts'

// These tests are not beside the libraries: Go compiles first, which takes long on a busy machine, and `npm run check` must be quick.
const COMPILED_MS = 180_000

// A machine for development need not have these languages; `npm run test:libraries` names the missing ones.
describe('L-26 the libraries of other languages answer all shared cases', () => {
  it.for(languages.filter(isInstalled))('$name', { timeout: COMPILED_MS }, async (language) => {
    expect(await runCases(language)).toEqual({
      passed: true,
      output: `${vectorCases().length} of ${vectorCases().length}`,
    })
  })
  it('that are installed', () => {
    expect(languages.map(({ name }) => name)).toEqual(['Python', 'Go', 'PHP', 'Java', 'C#', 'Rust'])
  })
})

describe('L-26 the programs of the vendors’ guide run as they stand there', () => {
  const installed = ['js', ...languages.filter(isInstalled).map(({ fence }) => fence)]
  it.for(installed)('%s', { timeout: COMPILED_MS }, (language) => {
    expect(runGuide(language)).toBe('valid valid standard-month 5')
  })
})
