import { MOST_REPLIES } from '#features/support/desk/rules.ts'
import { insertReply } from '#features/support/desk/server/reply-queries.ts'
import { creditPermission } from '#features/finance/contract.ts'
import { insertNote } from '#features/customers/server/queries.ts'
import { insertApproval } from '#foundation/server/approvals/queries.ts'
import { minorUnits } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { cannedReplies } from './canned-replies.ts'
import { anna, jonas, mikhail, olivia } from './people.ts'
import { seedStatement } from './bank-statement.ts'
import { seedViews } from './desk-views.ts'
import { seedHeldMails } from './held-mails.ts'
import { seedMaintenance } from './maintenance.ts'
import type { Seeded } from './ticket-story.ts'
import { seedTickets } from './tickets.ts'
import { cem, claire, elin, henrike, lukas, reto } from './clientele.ts'
import { seedAnswerTimes } from './desk/answer-times.ts'
import { seedBell } from './desk/bell.ts'
import { merge, splitOff } from './desk/moved-tickets.ts'
import type { Ids } from './ticket-events.ts'

/** Adds the tickets, canned replies, notes, bank statements, maintenance and an open proposal. `people` are user ids by email address. */
export async function seedSupport(app: App, tx: Tx, people: ReadonlyMap<string, string>): Promise<void> {
  const ids = idsOf(people)
  for (const reply of cannedReplies) await insertReply(tx, { ...reply, author_id: ids.olivia }, MOST_REPLIES)
  await seedAnswerTimes(tx, { now: new Date(), zone: app.config.timeZone })
  await seedDesk(tx, ids, await seedTickets(app, tx, ids))
  await seedHeldMails(tx, ids)
  await seedViews(tx, ids)
  for (const { to, by, ...note } of notes)
    await insertNote(tx, { ...note, user_id: ids[to], author_id: ids[by] })
  await seedStatement(app, tx, ids)
  await seedMaintenance(tx, ids.olivia)
  await insertApproval(tx, {
    act: creditPermission.name,
    customer_id: ids.mikhail,
    amount: minorUnits(120, app.config.currency),
    input: {},
    why: 'allowance',
    links: [],
    reason: 'Two days of outage in October',
    proposed_by: ids.jonas,
  })
}

function idsOf(people: ReadonlyMap<string, string>): Ids {
  const idOf = ({ email }: { email: string }): string => {
    const id = people.get(email)
    if (id === undefined) throw new Error(`nobody moved in as ${email}`)
    return id
  }
  return {
    anna: idOf(anna),
    mikhail: idOf(mikhail),
    olivia: idOf(olivia),
    jonas: idOf(jonas),
    henrike: idOf(henrike),
    lukas: idOf(lukas),
    cem: idOf(cem),
    claire: idOf(claire),
    reto: idOf(reto),
    elin: idOf(elin),
  }
}

/** Merges and splits tickets as staff do, and rings the bells. */
async function seedDesk(tx: Tx, ids: Ids, seeded: Seeded): Promise<void> {
  await merge(tx, { id: seeded('warning').id, into: seeded('slow').id, by: ids.jonas, ago: '12m' })
  const { id } = seeded('archive')
  const subject = 'Invoices for our bookkeeper'
  await splitOff(tx, { id, from_seq: 4, subject, by: ids.olivia, ago: '1d 3h 50m' })
  await seedBell(tx, ids, seeded)
}

/** The notes of the demo staff about the demo customers. */
const notes = [
  {
    to: 'anna',
    by: 'olivia',
    pinned: true,
    text: 'Runs the shop of a theatre: never restart her servers on a Friday evening.',
  },
  { to: 'anna', by: 'jonas', pinned: false, text: 'Asked for a discount in spring. We said no, kindly.' },
  { to: 'mikhail', by: 'jonas', pinned: false, text: 'Writes Russian, reads English well.' },
] as const
