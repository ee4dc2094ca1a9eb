import { helpCentre } from './help-centre.ts'
import { mailsIn } from './mails-in.ts'
import { inFile, type Mutant } from './mutant.ts'
import { notifications } from './notifications.ts'
import { ratings } from './ratings.ts'

const acts = ['features/support/desk/server/acts.test.ts']
const several = ['features/support/desk/server/several.test.ts']
const macros = ['features/support/desk/server/macros.test.ts']
const closings = ['features/support/messages/server/closed-mail.test.ts']
const tests = ['features/support/desk/server/staff-tickets.test.ts']

/** Mutants of what the desk leaves out, and of tags and sleep. */
export const desk: readonly Mutant[] = [
  ...notifications,
  ...ratings,
  ...mailsIn,
  ...helpCentre,
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
  ...inFile('features/support/tickets/server/closed-queries.ts', closings, [
    [
      " and status = 'closed' and spam_at is null",
      ' and closed_at is not null',
      'no mail of a closing tells of spam',
    ],
    ['      and warned_of is distinct from closed_at\n', '', 'a closing is told once'],
  ]),
  ...inFile('features/support/messages/server/closed-mail.ts', closings, [
    ['    if (await isRatedSince(tx, id, closed_at)) return\n', '', 'who has rated is not asked'],
  ]),
  ...inFile('features/support/tickets/server/unread-queries.ts', tests, [
    [".where(noSpam(sql.table('tickets')))", '', 'no mail goes out about spam'],
  ]),
  ...inFile('features/support/tickets/server/queries.ts', tests, [
    ["status && status !== 'closed' ? unset : undefined", 'undefined', 'what was opened again is no spam'],
  ]),
  ...inFile('features/support/desk/server/staff-ticket-queries.ts', acts, [
    [' : sql`t.snoozed_at is null`)', ' : sql`true`)', 'a ticket that sleeps is in no list of open ones'],
  ]),
  ...inFile('features/support/tickets/server/ticket-acts.ts', acts, [
    ["if (actor.party.role === 'customer')", 'if (false)', 'staff sort out no ticket of their own'],
    ['if (tags.length > tagLimits.each)', 'if (false)', 'a ticket has ten tags at most'],
    [
      "if (row.status === 'closed') throw new HttpError(409, [{ code: 'ticket_closed', param: 'snooze' }])",
      '',
      'a closed ticket does not sleep',
    ],
    ['else if (tagged || slept)', 'else if (false)', 'tags and sleep are live for all staff'],
  ]),
  ...inFile('features/support/tickets/server/write-message.ts', acts, [
    ["kind === 'comment' && !staff\n", "kind === 'comment'\n", 'an answer of staff wakes no ticket'],
    ['if (wakes) await wake(tx, ticket.id)', '', 'the answer of the customer wakes the ticket'],
  ]),
  ...inFile('features/support/tickets/server/queries.ts', acts, [
    [".where('snoozed_until', 'is', null)", '', 'a ticket that sleeps until a time is not closed meanwhile'],
  ]),
  ...inFile('features/support/tickets/server/serialize.ts', acts, [
    [
      'spam: isSpam(row), ...forStaff(row) } : {})',
      'spam: isSpam(row) } : {}), ...forStaff(row)',
      'tags are for staff alone',
    ],
  ]),
  ...inFile(
    'features/support/tickets/server/merge.ts',
    ['features/support/tickets/server/merge.test.ts'],
    [
      [
        '  if (into.snoozed_at !== null) await wake(tx, into.id)\n',
        '',
        'who waits does not sleep with the ticket that goes on',
      ],
    ],
  ),
  ...inFile('features/support/tickets/server/undo-acts.ts', several, [
    ['if (!noted || ', 'if (false && ', 'what was changed since is not undone'],
  ]),
  ...inFile('features/support/tickets/server/undo-queries.ts', several, [
    ["[...changed, 'comment_seq']", '[...changed]', 'what the customer has written since is a change'],
    ['u.staff_id = ${staff_id}::uuid', 'true', 'acts are undone by their author alone'],
    ['u.created_at > now() - make_interval(mins => ${minutes})', 'true', 'acts are undone for ten minutes'],
  ]),
  ...inFile('features/support/messages/server/reply-with-acts.ts', macros, [
    ['if (done.status === 201)', 'if (true)', 'the acts of a reply that is sent twice are done once'],
    [
      "if (!isStaffView(ticket, actor)) throw new HttpError(409, [{ code: 'own_ticket' }])",
      '',
      'staff run no macro on themselves',
    ],
  ]),
]
