import { slot } from '#foundation/contract.ts'

/** Below the news that a top-up has come: what the money was wanted for. */
export const financesToppedUp = slot<object>('finance.topped_up')

/** @public Invoices fill this place of the finances page with their list. */
export const financesInvoices = slot<object>('finance.invoices')
