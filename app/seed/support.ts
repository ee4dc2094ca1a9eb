import { MOST_REPLIES } from '#features/support/desk/rules.ts'
import { insertReply } from '#features/support/desk/server/reply-queries.ts'
import { insertNote } from '#features/customers/server/queries.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { cannedReplies } from './canned-replies.ts'
import { anna, jonas, mikhail, olivia } from './people.ts'
import { seedTickets } from './tickets.ts'

/** Seeds the tickets and replies of the demo accounts, given their ids by address. */
export async function seedSupport(app: App, tx: Tx, people: ReadonlyMap<string, string>): Promise<void> {
  const idOf = ({ email }: { email: string }): string => {
    const id = people.get(email)
    if (id === undefined) throw new Error(`nobody moved in as ${email}`)
    return id
  }
  const ids = { anna: idOf(anna), mikhail: idOf(mikhail), olivia: idOf(olivia), jonas: idOf(jonas) }
  for (const reply of cannedReplies) await insertReply(tx, { ...reply, author_id: ids.olivia }, MOST_REPLIES)
  await seedTickets(app, tx, ids)
  for (const { to, by, ...note } of notes)
    await insertNote(tx, { ...note, user_id: ids[to], author_id: ids[by] })
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
