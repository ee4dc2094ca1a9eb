import { slot } from '#foundation/contract.ts'

/** The slot below the notice that a top-up has arrived: what the money was needed for. */
export const financesToppedUp = slot<object>('finance.topped_up')

/** @public Invoices fill this place of the finances page with their list. */
export const financesInvoices = slot<object>('finance.invoices')
