import type { Handler } from '#foundation/server/http/handler.ts'
import { confirm } from './confirm-transfer.ts'
import { correct } from './corrections.ts'
import { download } from './csv.ts'
import { giveCredit } from './give-credit.ts'
import { payOut, writeOff } from './pay-out.ts'
import * as staff from './staff.ts'
import * as staffTopUps from './staff-top-ups.ts'
import * as topUps from './top-ups.ts'
import * as transactions from './transactions.ts'
import * as transfers from './transfers.ts'
import { listUnbooked, settleByHand } from './unbooked-events.ts'
import * as vouchers from './vouchers.ts'
import * as webhooks from './webhooks.ts'

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
