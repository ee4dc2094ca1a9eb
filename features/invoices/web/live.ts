import { refreshQueries } from '#foundation/web/api/query.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { getInvoice, listInvoices, INVOICE_CREATED } from '#features/invoices/contract.ts'

/** A credit note changes the invoice it corrects, so open invoices are loaded again, too. */
export const live: readonly LiveReaction[] = [
  [
    INVOICE_CREATED,
    () => {
      refreshQueries(listInvoices)
      refreshQueries(getInvoice)
    },
  ],
]
