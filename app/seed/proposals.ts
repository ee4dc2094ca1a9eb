import type { Tx } from '#foundation/server/database/transaction.ts'
import { insertProposal } from './proposal-queries.ts'
import { firstHostsOf } from './webhook-queries.ts'

/** Two acts that an assistant of a demo customer proposes: one waits for its owner, one was refused. Nothing of either was done. */
export async function seedProposals(tx: Tx, owner_id: string): Promise<void> {
  const [first, second] = await firstHostsOf(tx, owner_id)
  if (!first || !second) return
  const by = { owner_id, program: 'Assistant' }
  const path = (host: { public_id: string }) => `/api/hosts/${host.public_id}/`
  await insertProposal(tx, {
    ...by,
    tool: 'createTicket',
    path: '/api/tickets/',
    input: {
      subject: 'Disk of the database server',
      message: 'The disk has been over 90 % full three times this week. What would a larger one cost?',
      topic: 'technical',
      host_id: first.public_id,
    },
    hours_ago: 2,
    is_refused: false,
  })
  await insertProposal(tx, {
    ...by,
    tool: 'updateHost',
    path: path(second),
    input: { auto_renew: false },
    hours_ago: 50,
    is_refused: true,
  })
}
