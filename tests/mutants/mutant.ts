/** A line that is broken on purpose: one of the tests must fail. */
export type Mutant = {
  file: string
  /** The text to replace, which occurs exactly once in the file. */
  find: string
  replace: string
  /** The test files that run. */
  tests: readonly string[]
  why: string
}

type InFile = Pick<Mutant, 'file' | 'tests'>
type Change = readonly [find: string, replace: string, why: string]

export const inFile = (file: string, tests: readonly string[], changes: readonly Change[]): Mutant[] =>
  changes.map(([find, replace, why]) => ({ ...({ file, tests } satisfies InFile), find, replace, why }))
