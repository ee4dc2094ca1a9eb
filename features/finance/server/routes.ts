import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/finance/contract.ts'
import { download } from './csv.ts'
import { overview } from './overview.ts'
import * as transactions from './transactions.ts'

export const routes = [
  serve(contract.getFinances, overview),
  serve(contract.listTransactions, transactions.list),
  serve(contract.downloadTransactions, download),
]
