import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import * as events from '#features/payouts/event-contract.ts'
import { accountOf, eraseAccounts, keepAddress } from './accounts.ts'
import * as files from './files.ts'
import { payLeftMoneyOut } from './left-to-bank.ts'
import * as payouts from './payouts.ts'
import { payoutsOf } from './queries.ts'
import { settleByHand } from './refund-by-hand.ts'
import { refundTopUp, refundTopUpAct } from './refund-top-up.ts'
import { toPayoutReply } from './replies.ts'
import { checkRefunds, settleRefundEvent, sendRefund } from './send-refund.ts'
import { bringBackByStaff, markSent, payOutToBank, payToBankAct, returnAct } from './staff-acts.ts'
import { listForStaff } from './staff-list.ts'

export { sealed } from './accounts.ts'

export const routes: readonly Handler[] = [
  payouts.list,
  payouts.request,
  listForStaff,
  markSent,
  bringBackByStaff,
  payOutToBank,
  refundTopUp,
  files.listFiles,
  files.makeFile,
  files.sepaFile,
  files.payoutCsv,
  files.markFileSent,
]

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  sendRefund,
  checkRefunds,
  cronJob(jobKind('erase_payout_accounts', 'rest'), 86_400, eraseAccounts),
]

export const reactions = [settleRefundEvent, settleByHand, keepAddress, payLeftMoneyOut]

export const approvable: readonly ApprovableAct[] = [returnAct, payToBankAct, refundTopUpAct]

const PAGE = 100

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'payouts.json': () =>
    everyItem(async (before) => {
      const rows = await payoutsOf(app.db, user_id, { before, limit: PAGE + 1 })
      const shown = rows.slice(0, PAGE)
      return {
        items: shown.map((row) => ({ ...toPayoutReply(row), account: accountOf(app, row) })),
        next_cursor: rows.length > PAGE ? String(shown.at(-1)?.id) : null,
      }
    }),
})
