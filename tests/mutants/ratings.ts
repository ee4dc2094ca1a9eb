import { inFile, type Mutant } from './mutant.ts'

const R = 'features/support/ratings/server/'
const tests = [`${R}ratings.test.ts`]
const T = 'features/support/tickets/server/'
const merging = [`${T}merge.test.ts`]

/** Mutants of ratings, and of what is split off a ticket. */
export const ratings: readonly Mutant[] = [
  ...inFile(`${R}ratings.ts`, tests, [
    ["if (ticket.status !== 'closed') throw", 'if (false) throw', 'a ticket is rated once it is closed'],
    ['if (last?.face !== face || last.word !== word)', 'if (true)', 'the same twice is one rating'],
  ]),
  // The second wall, of rows, keeps ratings of staff out as well.
  ...inFile(
    'foundation/server/http/serve.ts',
    ['tests/system/access.test.ts'],
    [
      [
        'if (caller.actor?.is_staff && !actsAsStaff(',
        'if (false && !actsAsStaff(',
        'staff act as customers where a call is for customers',
      ],
    ],
  ),
  ...inFile(`${R}queries.ts`, tests, [
    [
      '[counts, noSpam(sql`t`), sql`t.user_id <> ${staff_id}::uuid`]',
      '[counts, noSpam(sql`t`)]',
      'not of oneself',
    ],
    ['[counts, noSpam(sql`t`), sql', '[noSpam(sql`t`), sql', 'the last rating counts'],
    ['[counts, noSpam(sql`t`), sql', '[counts, sql', 'spam does not rate'],
    ["r.face = 'poor' and ${counts}", "r.face = 'poor'", 'what was rated better is no news'],
    [
      '        and t.user_id <> ${staff_id}::uuid and ${noSpam',
      '        and ${noSpam',
      'nor is what one rated oneself',
    ],
    [' and ${noSpam(sql`t`)} limit', ' limit', 'nor is spam'],
  ]),
  ...inFile(`${T}split.ts`, merging, [
    ["if (!isComment) throw badRequest('unknown_message', 'seq')", '', 'a split begins with a message'],
    ["if (!before) throw badRequest('first_stays', 'seq')", '', 'no ticket is left empty'],
    ['if (row.user_id === actor.user_id)', 'if (false)', 'staff split no ticket of their own'],
    ["if (row.status !== 'closed') await followComments(tx, row)", '', 'the old ticket follows its comments'],
  ]),
  ...inFile(`${T}split-queries.ts`, merging, [
    [
      'update ticket_secrets set ticket_id = ${to.id} where',
      'update ticket_secrets set ticket_id = ${to.id} where false and',
      'secrets go along',
    ],
  ]),
  ...inFile(`${T}merge.ts`, merging, [
    [
      'if (ticket.merged_into_id !== null || into.merged_into_id !== null)',
      'if (into.merged_into_id !== null)',
      'a ticket is merged once',
    ],
    [
      ' && !(await merges.hasWrittenSince(tx, into.id, ticket))',
      '',
      'an undone merge hides no message of the customer',
    ],
    ['if (ticket.user_id === user_id)', 'if (false)', 'staff merge no ticket of their own'],
    ["if (into.status === 'closed') throw", 'if (false) throw', 'nothing is merged into what is closed'],
  ]),
]
