import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { balanceForfeited, userDeactivated } from '#features/profile/contract.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { confirm, transferAct } from './confirm-transfer.ts'
import { correct, correctAct } from './corrections.ts'
import { download } from './csv.ts'
import { giveCredit, creditAct } from './give-credit.ts'
import { payOut, writeOff, payOutAct, writeOffAct } from './pay-out.ts'
import * as staff from './staff.ts'
import * as staffTopUps from './staff-top-ups.ts'
import * as topUps from './top-ups.ts'
import * as transactions from './transactions.ts'
import { pageOfTransactions } from './transactions.ts'
import * as transfers from './transfers.ts'
import { processTransfers } from './transfers.ts'
import { listUnbooked, settleByHand } from './unbooked-events.ts'
import * as vouchers from './vouchers.ts'
import * as webhooks from './webhooks.ts'
import { closeMonths } from './closings.ts'
import { publishBalance } from './publish-balance.ts'
import { assertForfeited, keepLeftMoney } from './forfeit.ts'
import { expireAllOf } from './top-up-queries.ts'
import * as events from '#features/finance/event-contract.ts'

export { figures } from './figures.ts'

export const routes: readonly Handler[] = [
  transactions.list,
  download,
  vouchers.redeem,
  topUps.start,
  topUps.get,
  transfers.listWaiting,
  transfers.cancel,
  webhooks.receiveWebhook,
  staff.customerTransactions,
  giveCredit,
  staffTopUps.list,
  confirm,
  staffTopUps.chargeBack,
  correct,
  payOut,
  writeOff,
  listUnbooked,
  settleByHand,
]

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  publishBalance,
  cronJob(jobKind('expire_top_ups', 'money'), 3600, processTransfers),
  // The job runs hourly, so that a month is closed soon after 48 hours, or as soon as the installation runs again.
  cronJob(jobKind('close_ledger_months', 'rest'), 3600, async (app) => void (await closeMonths(app))),
]

/** The pending top-ups of a deleted account expire, so that nobody pays into it. Its ledger stays, for the books, and names nobody. */
export const reactions = [
  on(userDeactivated, async (app, tx, { user_id }) => {
    await expireAllOf(tx, user_id)
    await keepLeftMoney(app, tx, user_id)
  }),
  on(balanceForfeited, assertForfeited),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'transactions.json': () => everyItem((cursor) => pageOfTransactions(app, user_id, { limit: 100, cursor })),
})

/** Actions of staff on money that may need a second person. A chargeback needs none: the bank has taken the money already. */
export const approvable: readonly ApprovableAct[] = [
  creditAct,
  transferAct,
  correctAct,
  payOutAct,
  writeOffAct,
]
