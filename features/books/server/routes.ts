import type { Handler } from '#foundation/server/http/handler.ts'
import { askForExport, fetchExport, listExports } from './exports.ts'
import { balances, downloadBalances } from './balances.ts'
import { deferred, downloadDeferred } from './deferred.ts'
import * as reports from './reports.ts'
import * as invoices from './invoices.ts'
import { listTransactions } from './transactions.ts'
import { downloadVat } from './vat-csv.ts'
import { getVat } from './vat-of-quarter.ts'

export const routes: readonly Handler[] = [
  getVat,
  downloadVat,
  reports.revenue,
  reports.liability,
  balances,
  downloadBalances,
  deferred,
  downloadDeferred,
  reports.renewals,
  reports.churn,
  invoices.list,
  invoices.totals,
  invoices.get,
  invoices.pdf,
  invoices.xrechnung,
  listTransactions,
  askForExport,
  listExports,
  fetchExport,
]
