import type { Handler } from '#foundation/server/http/handler.ts'
import {
  RENEW_NOW,
  RENEWAL_STEP,
  askToRenewNow,
  refusedSchedules,
} from '#features/licences/server/licences.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, job, type Job } from '#foundation/server/jobs/jobs.ts'
import { balanceRose, paymentArriving, paymentFailed } from '#features/finance/contract.ts'
import { hostsPaidBy } from '#features/payers/server/payers.ts'
import { accessChanged, userDeactivated } from '#features/profile/contract.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { orderBulk, previewBulk } from './bulk.ts'
import { expireCheckouts, failCheckout, fulfilCheckout } from './checkout-money.ts'
import { deleteCheckoutsOf } from './checkout-queries.ts'
import {
  cancelCheckout,
  continueCheckout,
  createCheckout,
  getCheckout,
  listCheckouts,
  pageOfCheckouts,
} from './checkouts.ts'
import { chooseExtras } from './choose-extras.ts'
import { listPaidPeriods, overview, pageOfPeriods } from './charges.ts'
import { listPaidServers } from './parts.ts'
import { refund, refundAct } from './refund.ts'
import { chooseRenewalPlan } from './renewal-plan.ts'
import { orderHost, orderLicence } from './sales.ts'
import { previewUpgrade, upgradeLicence } from './upgrade.ts'
import { listWithdrawals, withdraw } from './withdrawal.ts'
import { DO_MOVES, doMoves, TELL_MOVE, tellMove } from './plan-moves.ts'
import { fillBalances } from './fill-balances.ts'
import { renewNow, renewTogether, runRenewalStep } from './renew.ts'
import { stopChargeOf } from './stop-charge.ts'
import * as events from '#features/sales/event-contract.ts'

export const routes: readonly Handler[] = [
  overview,
  orderHost,
  orderLicence,
  previewBulk,
  orderBulk,
  previewUpgrade,
  upgradeLicence,
  chooseRenewalPlan,
  chooseExtras,
  listPaidPeriods,
  listPaidServers,
  withdraw,
  listWithdrawals,
  refund,
  createCheckout,
  getCheckout,
  listCheckouts,
  cancelCheckout,
  continueCheckout,
]

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  job(RENEWAL_STEP, runRenewalStep, renewTogether),
  job(RENEW_NOW, renewNow),
  job(TELL_MOVE, tellMove),
  cronJob(DO_MOVES, 3600, doMoves),
  stopChargeOf,
  cronJob(jobKind('expire_checkouts', 'money'), 300, expireCheckouts),
  cronJob(jobKind('fill_balances', 'money'), 60, fillBalances),
]

export const reactions = [
  on(paymentArriving, fulfilCheckout),
  on(paymentFailed, failCheckout),
  on(userDeactivated, (_app, tx, { user_id }) => deleteCheckoutsOf(tx, user_id)),
  on(balanceRose, (_app, tx, { user_id }) => renewRefused(tx, user_id)),
  on(accessChanged, async (_app, tx, { user_id, access }) => {
    if (access === 'open') await renewRefused(tx, user_id)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'checkouts.json': () => everyItem((cursor) => pageOfCheckouts(app, user_id, { limit: 100, cursor })),
  'licences.json': () => everyItem((cursor) => pageOfPeriods(app, { user_id }, { limit: 100, cursor })),
})

async function renewRefused(tx: Tx, user_id: string): Promise<void> {
  const paid = await hostsPaidBy(tx, user_id)
  for (const host_id of await refusedSchedules(tx, user_id, paid)) askToRenewNow(tx, host_id)
}

export const approvable: readonly ApprovableAct[] = [refundAct]
