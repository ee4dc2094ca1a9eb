import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, job, type Job } from '#foundation/server/jobs/jobs.ts'
import { askForExport, fetchExport, listExports } from './exports.ts'
import { balances, downloadBalances } from './balances.ts'
import { deferred, downloadDeferred } from './deferred.ts'
import { recurring } from './recurring.ts'
import * as reports from './reports.ts'
import * as invoices from './invoices.ts'
import { listTransactions } from './transactions.ts'
import { downloadVat } from './vat-csv.ts'
import { getVat } from './vat-of-quarter.ts'
import { giveUpExport, MAKE_EXPORT, makeExport, removeOldExports } from './exports/make.ts'

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
  recurring,
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

const REMOVE_OLD_EXPORTS = jobKind('remove_old_exports', 'rest')

export const jobs: readonly Job[] = [
  { ...job(MAKE_EXPORT, makeExport), gaveUp: giveUpExport },
  cronJob(REMOVE_OLD_EXPORTS, 3_600, removeOldExports),
] as readonly Job[]
