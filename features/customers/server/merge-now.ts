import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { hardlyWaiting } from '#foundation/server/database/hardly-waiting.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { endSessionsOf, setAccess } from '#foundation/server/session/session.ts'
import { CUSTOMER_CHANGED } from '#features/customers/contract.ts'
import { lockBalancesOf, moveBalance } from '#features/finance/server/finance.ts'
import { giveToOwnAccount } from '#features/hosts/server/hosts.ts'
import { letRead } from '#features/invoices/server/invoices.ts'
import { endAgreementsOf } from '#features/payers/server/payers.ts'
import { accessChanged } from '#features/profile/contract.ts'
import { endGrantsOf } from '#features/sharing/server/sharing.ts'
import { giveTickets } from '#features/support/server/support.ts'
import { assertMergeable, lockPair, type Accounts } from './assert-mergeable.ts'
import { mailToAll } from './mails.ts'
import { accountsMerged } from './merge-mails.ts'
import { insertMerge } from './merge-queries.ts'

/**
 * Gives the account that stays what the other one has: servers with their paid time, balance, tickets, and the reading of documents. All of it,
 * or nothing. Throws 409 with the reason against it.
 */
export async function mergeNow(
  app: App,
  tx: Tx,
  accounts: Accounts,
  detail: Record<string, unknown> & { reason: string },
): Promise<void> {
  const pair = await lockPair(tx, { actor: undefined }, accounts)
  const [from, into] = [pair.from.id, pair.into.id]
  await hardlyWaiting(tx, async () => {
    const hosts = await assertMergeable(app, tx, pair)
    await endGrantsOf(app, tx, from)
    await endAgreementsOf(app, tx, from)
    await lockBalancesOf(app, tx, [from, into])
    await giveToOwnAccount(app, tx, hosts, into)
    const money = await moveBalance(app, tx, { from, to: into })
    const ticket_ids = await giveTickets(tx, { from, to: into })
    await letRead(tx, { user_id: from, reader_id: into })
    const host_ids = hosts.map(({ id }) => id)
    const { reason } = detail
    await insertMerge(tx, { user_id: from, into_id: into, reason, host_ids, ticket_ids, money })
    await setAccess(tx, from, { access: 'locked', message: '' })
    await endSessionsOf(tx, from)
    await emit(app, tx, accessChanged, { user_id: from, access: 'locked' })
    const moved = { servers: hosts.length, tickets: ticket_ids.length, money: money.money, gift: money.gift }
    for (const user_id of [from, into])
      await recordAction(tx, {
        user_id,
        act: 'customer.merged',
        detail: { ...detail, ...moved, from_id: from, into_id: into },
      })
  })
  const values = { from: pair.from.email, into: pair.into.email }
  for (const account of [pair.from, pair.into]) await mailToAll(app, tx, account, accountsMerged, values)
  for (const user_id of [from, into]) await publishToStaff(tx, { type: CUSTOMER_CHANGED, user_id })
}
