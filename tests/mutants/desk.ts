import { inFile, type Mutant } from './mutant.ts'

const tests = ['features/support/desk/server/staff-tickets.test.ts']

/** Mutants of what the desk leaves out. */
export const desk: readonly Mutant[] = [
  ...inFile('features/support/desk/server/staff-ticket-queries.ts', tests, [
    ['query.spam ? sql`t.spam_at is not null` : noSpam(sql`t`)', 'sql`true`', 'spam is in a list of its own'],
  ]),
  ...inFile('features/support/desk/server/staff-tickets.ts', tests, [
    [
      'if (isSpam(row)) return { status: 200, body: await serializeTicket(app, tx, row, actor) } as const',
      '',
      'spam is marked once',
    ],
  ]),
  ...inFile('features/support/tickets/server/unread-queries.ts', tests, [
    [".where(noSpam(sql.table('tickets')))", '', 'no mail goes out about spam'],
  ]),
  ...inFile('features/support/tickets/server/queries.ts', tests, [
    ["status && status !== 'closed' ? unset : undefined", 'undefined', 'what was opened again is no spam'],
  ]),
]
