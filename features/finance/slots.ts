import { slot } from '#foundation/contract.ts'

/** The slot below the notice that a top-up has arrived. It shows the order for which the money was needed. */
export const financesToppedUp = slot<object>('finance.topped_up')

/** @public The slot on the finances page that the feature invoices fills with its list. */
export const financesInvoices = slot<object>('finance.invoices')
