import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/statements/server/statements.test.ts']

/** Mutants of signed statements. */
export const statements: readonly Mutant[] = [
  ...inFile('features/statements/server/issue.ts', tests, [
    [
      'until.getTime() + WAIT_MS > now.getTime()',
      'since.getTime() > now.getTime()',
      'no month is issued before it is over',
    ],
    ['!user?.is_active || ', '', 'a deleted account gets no statement'],
  ]),
  ...inFile('features/statements/server/body.ts', tests, [
    ['after: before?.last_seq', 'after: undefined', 'what is booked late is in the next statement'],
    [
      'before ? { month: before.month, sha256: before.hash } : null',
      'null',
      'a statement names the one before',
    ],
  ]),
  ...inFile('features/statements/web/verify.ts', tests, [
    ["need(isGenuine, 'changed')", '', 'a changed byte is refused in the browser'],
    ['need(canonicalJson(value) === text && ', 'need(', 'bytes that say the same otherwise are refused'],
    ["need(told.root === root, 'not_under_root')", '', 'a statement must be under the root of its month'],
  ]),
  ...inFile('clients/verify-statement/verify-statement.mjs', tests, [
    [
      "need(canonical(signed) === text, 'it was changed: its bytes are not in canonical form')",
      '',
      'bytes that say the same otherwise are refused',
    ],
  ]),
  ...inFile('features/statements/server/queries.ts', tests, [
    [
      'where s.signature is not null and m.root is not null',
      'where true',
      'nobody sees a statement before its month is sealed',
    ],
  ]),
]
