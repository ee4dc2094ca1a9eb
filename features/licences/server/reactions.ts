import {
  balanceOverdrawn,
  balanceRose,
  partsRequested,
  refundBegins,
  refunded,
  upcomingRequested,
} from '#features/finance/contract.ts'
import { locks } from '#features/finance/server/finance.ts'
import { addressesChanged, autoRenewChanged, hostDeleted, hostTransferred } from '#features/hosts/contract.ts'
import { insertRefund } from '#features/legal/server/legal.ts'
import { announceHost, lockHostById, lockHostsById } from '#features/hosts/server/hosts.ts'
import { renewalsRequested, spendingRequested } from '#features/payers/contract.ts'
import { hostsPaidBy, spentBy } from '#features/payers/server/payers.ts'
import { accessChanged, dataRequested } from '#features/profile/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { holdsLock } from '#foundation/server/database/lock-order.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import { debtsOf } from './debt-queries.ts'
import { beginDebt, settleDebt } from './debts.ts'
import { pageOfPeriods } from './history.ts'
import { machinesFile } from './machines.ts'
import { endDeleted, endRefunded, leaveOwner, moveAddresses } from './periods.ts'
import { partsOf } from './parts.ts'
import { mailEnded } from './ended-mail.ts'
import { lowerValue, ordersPaidBy, type OrderOfPayment } from './queries.ts'
import { renewalsFor, upcomingCharges } from './upcoming.ts'
import { askToRenewNow, scheduleNextStep } from './renewal-schedule.ts'
import { suspensionsOf } from './suspension-queries.ts'
import { refusedSchedules, scheduleOf } from './renewal-queries.ts'

export const reactions = [
  on(hostDeleted, (_app, tx, { id }) => endDeleted(tx, id)),
  on(hostTransferred, (_app, tx, { id }) => leaveOwner(tx, id)),
  on(addressesChanged, (_app, tx, host) => moveAddresses(tx, host)),
  on(autoRenewChanged, async (_app, tx, { id, auto_renew }) => {
    if (auto_renew) await askToRenewNow(tx, id)
    else await forgetRefusal(tx, id)
  }),
  on(balanceOverdrawn, (app, tx, { user_id }) => beginDebt(app, tx, user_id)),
  on(balanceRose, async (app, tx, { user_id }) => {
    await settleDebt(app, tx, user_id)
    await renewRefused(tx, user_id)
  }),
  on(accessChanged, async (_app, tx, { user_id, access }) => {
    if (access === 'open') await renewRefused(tx, user_id)
  }),
  // Rule 9: hosts are locked before balances.
  on(refundBegins, async (_app, tx, { transaction_id, order_id }) => {
    const paid = await ordersPaidBy(tx, transaction_id)
    const orders = order_id === undefined ? paid : paid.filter(({ id }) => id === order_id)
    const wanted = orders.map(({ host_id }) => host_id)
    // An upgrade has locked its servers before.
    if (!wanted.every((id) => holdsLock(tx, locks.hosts, id))) await lockHostsById(tx, wanted)
  }),
  on(partsRequested, async (_app, tx, { add, ...spending }) => {
    for (const part of await partsOf(tx, spending)) add(part)
  }),
  on(
    refunded,
    async (app, tx, { transaction_id, refund_transaction_id, net, part, left, cause, ...said }) => {
      const order_id = part?.order_id ?? null
      await insertRefund(tx, { transaction_id, order_id, refund_transaction_id })
      const paid = await ordersPaidBy(tx, transaction_id)
      const orders = part ? paid.filter(({ id }) => id === part.order_id) : paid
      // A refund without a part, of a payment for several servers, has returned the whole rest of the payment.
      for (const order of orders) await lowerValue(tx, order.id, orders.length > 1 ? order.net : net)
      // An upgrade cuts the periods itself: nothing moves up, as another plan takes their place.
      if (left > 0n || cause === 'upgrade') return
      for (const order of orders) await endPaid(app, tx, order, said)
    },
  ),
  on(upcomingRequested, async (app, tx, { user_id, add }) => {
    for (const charge of await upcomingCharges(app, tx, user_id)) add(charge)
  }),
  on(renewalsRequested, async (app, tx, { add, ...wanted }) => {
    for (const renewal of await renewalsFor(app, tx, wanted)) add(renewal)
  }),
  on(spendingRequested, async (_app, tx, { agreement_ids, add }) => {
    for (const [id, spent] of await spentBy(tx, agreement_ids)) add(id, spent)
  }),
  on(dataRequested, async (app, _tx, { user_id, add }) => {
    add('licences.json', () => everyItem((cursor) => pageOfPeriods(app, { user_id }, { limit: 100, cursor })))
    add('suspensions.json', () => suspensionsOf(app.db, user_id))
    add('machines.json', () => machinesFile(app, user_id))
    add('debts.json', () => debtsOf(app.db, user_id))
  }),
]

/**
 * Ends the paid time of a refunded order. The attack is somebody who sells a server with its paid time, and asks for the money back: by default
 * the time stays with the next owner, whom it was sold to.
 */
async function endPaid(
  app: App,
  tx: Tx,
  { id, host_id, owner_id, plan_name }: OrderOfPayment,
  { end_for_next_owner }: { end_for_next_owner: boolean },
): Promise<void> {
  const host = await lockHostById(tx, host_id)
  if (!host) return
  const isOthers = host.user_id !== owner_id
  if (isOthers && !end_for_next_owner) return
  const isEnded = await endRefunded(tx, host, id)
  if (!isOthers || !isEnded) return
  await mailEnded(app, tx, host, plan_name)
  await announceHost(tx, host)
}

async function renewRefused(tx: Tx, user_id: string): Promise<void> {
  const paid = await hostsPaidBy(tx, user_id)
  for (const host_id of await refusedSchedules(tx, user_id, paid)) await askToRenewNow(tx, host_id)
}

async function forgetRefusal(tx: Tx, host_id: bigint): Promise<void> {
  const watch = await scheduleOf(tx, host_id)
  if (watch?.refusal) await scheduleNextStep(tx, { ...watch, refusal: null })
}
