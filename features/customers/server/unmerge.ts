import type { App } from '#foundation/server/app.ts'
import { hardlyWaiting } from '#foundation/server/database/hardly-waiting.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { setAccess } from '#foundation/server/session/session.ts'
import * as contract from '#features/customers/merge-contract.ts'
import { lockBalancesOf, moveBalanceBack } from '#features/finance/server/finance.ts'
import { everNamedHosts, giveToOwnAccount, lockHostsById } from '#features/hosts/server/hosts.ts'
import { letReadNoMore } from '#features/invoices/server/invoices.ts'
import { accessChanged } from '#features/profile/contract.ts'
import { giveTickets } from '#features/support/server/support.ts'
import { lockPair } from './assert-mergeable.ts'
import { mailToAll } from './mails.ts'
import { mergeUndone } from './merge-mails.ts'
import { endMerge, mergeOf } from './merge-queries.ts'
import { recordAct } from './record-act.ts'
import { memberOf, type Who } from './who.ts'

/** Answers `DELETE …/merge/`. */
export const undoMerge = handler(contract.undoMerge, async (call) => {
  const { app, params, body } = call
  return { status: 200, body: await unmerge(app, memberOf(call), params.userId, body.reason) }
})

/**
 * Undoes a merge as far as still possible: servers that were deleted, given away or suspended since stay, and are named; the balance goes
 * back whole or stays whole. Agreements and grants that ended do not begin again. Throws 404 without a merge, 409 `merge_over` after its days.
 */
export async function unmerge(
  app: App,
  who: Who,
  user_id: string,
  reason: string,
): Promise<contract.UndoneMerge> {
  return transaction(app, 'system', async (tx) => {
    const seen = await mergeOf(tx, user_id)
    if (!seen) throw notFound()
    // The person may have joined the staff since; the account that stays is not deleted while this is open.
    const pair = await lockPair(tx, who, { from: user_id, into: seen.into_id }, { ownersMay: true })
    const merge = await mergeOf(tx, user_id)
    if (!merge) throw notFound()
    if (!merge.is_open) throw new HttpError(409, [{ code: 'merge_over' }])
    const [from, into] = [pair.from.id, pair.into.id]
    const undone = await hardlyWaiting(tx, async () => {
      const there = await lockHostsById(tx, merge.host_ids.map(BigInt))
      const hosts = there.filter((host) => host.user_id === into && !host.suspended)
      await lockBalancesOf(app, tx, [from, into])
      await giveToOwnAccount(app, tx, hosts, from)
      // From here on the account stands for itself: a debt that comes back begins there.
      await letReadNoMore(tx, from)
      const isBack = await moveBalanceBack(app, tx, { from, to: into }, merge.money)
      await giveTickets(tx, { from: into, to: from, ids: merge.ticket_ids })
      if (!(await endMerge(tx, merge.id))) throw notFound()
      await setAccess(tx, from, { access: 'open', message: '' })
      await emit(app, tx, accessChanged, { user_id: from, access: 'open' })
      const back = new Set(hosts.map(({ id }) => id))
      const left = merge.host_ids.map(BigInt).filter((id) => !back.has(id))
      const named = await everNamedHosts(tx, left)
      return { servers_left: [...named.values()].map(({ name }) => name).toSorted(), balance_left: !isBack }
    })
    const detail = { ...undone, from_id: from, into_id: into }
    for (const one of [from, into])
      await recordAct(tx, { user_id: one, who, act: 'customer.merge_undone', reason, detail })
    const values = { from: pair.from.email, into: pair.into.email }
    for (const account of [pair.from, pair.into]) await mailToAll(app, tx, account, mergeUndone, values)
    return undone
  })
}
