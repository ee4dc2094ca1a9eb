import { inFile, type Mutant } from './mutant.ts'

/** Mutants of what is done with databases of another release or commit. */
export const foreign: readonly Mutant[] = [
  ...inFile(
    'app/cli/ledger.ts',
    ['tests/system/exit-codes.test.ts'],
    [
      [
        'if (pending.length > 0)',
        'if (pending.length > 1)',
        'the next release does not judge books that it has yet to migrate',
      ],
      ['if (damages.length === 0)', 'if (true)', 'damaged books are told before a migration'],
    ],
  ),
  ...inFile(
    'foundation/server/database/judge-steps.ts',
    ['foundation/server/database/judge-steps.test.ts'],
    [
      [
        'if (foreign)',
        'if (foreign && !acceptNewer)',
        'nothing makes a start on the schema of another commit',
      ],
      [' && hash !== hashes.get(name)', ' && false', 'a step that was edited is another'],
    ],
  ),
]
