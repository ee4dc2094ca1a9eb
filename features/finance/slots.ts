import { slot } from '#foundation/contract.ts'
import type { Money } from '#foundation/money.ts'

/** The slot below the notice that a top-up has arrived. It shows the order for which the money was needed. */
export const financesToppedUp = slot<object>('finance.topped_up')

/** The slot at the top of the finances page with the orders that wait for money; `shown` is the one that the address names. */
export const financesOrders = slot<{ shown: string | undefined }>('finance.orders')

/** @public The slot beside the buttons of the balance, for acts of other features. */
export const financesActs = slot<{ balance: Money; gift: Money }>('finance.acts')

/** @public The slot below the balance for the payouts that are on their way. */
export const financesPayouts = slot<object>('finance.payouts')

/** The slot below the balance for the payment methods that are saved. */
export const financesMethods = slot<object>('finance.methods')

/** @public The slot below the balance for what fills it by itself. */
export const financesAutoTopUp = slot<object>('finance.auto_top_up')

/** @public The slot on the finances page that the feature invoices fills with its list. */
export const financesInvoices = slot<object>('finance.invoices')

/** @public The slot on the finances page that the feature invoices fills with the statement of a month. */
export const financesStatement = slot<object>('finance.statement')

/** The slot for the agreements by which one account pays for servers of another. */
export const financesPaidFor = slot<object>('finances.paid_for')
