import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/finance/contract.ts'
import { download } from './csv.ts'
import { overview } from './overview.ts'
import * as staff from './staff.ts'
import * as staffTopUps from './staff-top-ups.ts'
import * as topUps from './top-ups.ts'
import * as transactions from './transactions.ts'
import * as transfers from './transfers.ts'
import * as vouchers from './vouchers.ts'
import * as webhooks from './webhooks.ts'

export const routes = [
  serve(contract.getFinances, overview),
  serve(contract.listTransactions, transactions.list),
  serve(contract.downloadTransactions, download),
  serve(contract.redeemVoucher, vouchers.redeem),
  serve(contract.startTopUp, topUps.start),
  serve(contract.getTopUp, topUps.get),
  serve(contract.listWaitingTransfers, transfers.listWaiting),
  serve(contract.cancelTransfer, transfers.cancel),
  serve(contract.takePaymentEvent, webhooks.receiveWebhook),
  serve(contract.customerTransactions, staff.customerTransactions),
  serve(contract.giveCredit, staff.giveCredit),
  serve(contract.refundTransaction, staff.refund),
  serve(contract.listTopUps, staffTopUps.list),
  serve(contract.confirmTopUp, staffTopUps.confirm),
  serve(contract.chargeBackTopUp, staffTopUps.chargeBack),
]
