import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/invoices/contract.ts'
import * as billing from './billing.ts'
import * as download from './download.ts'
import * as read from './read.ts'

export const routes = [
  serve(contract.listInvoices, read.list),
  serve(contract.getBilling, billing.getBilling),
  serve(contract.saveBilling, billing.saveBilling),
  serve(contract.getInvoice, read.get),
  serve(contract.getPdf, download.pdf),
  serve(contract.getXrechnung, download.xrechnung),
]
