import type { Handler } from '#foundation/server/http/handler.ts'
import { getVat } from './books.ts'
import { askForExport, fetchExport, listExports } from './exports.ts'
import * as invoices from './invoices.ts'
import { downloadVat } from './vat-csv.ts'

export const routes: readonly Handler[] = [
  getVat,
  downloadVat,
  invoices.list,
  invoices.totals,
  invoices.get,
  invoices.pdf,
  invoices.xrechnung,
  askForExport,
  listExports,
  fetchExport,
]
