import { slot } from '#foundation/contract.ts'
import type { ErrorCode } from '#texts/errors.js'
import type { Money } from '#foundation/money.ts'

/** The slot below the notice that a top-up has arrived. It shows the order for which the money was needed. */
export const financesToppedUp = slot<object>('finance.topped_up')

/** The slot at the top of the finances page with the orders that wait for money; `shown` is the one that the address names. */
export const financesOrders = slot<{ shown: string | undefined }>('finance.orders')

/** @public The slot beside the buttons of the balance, for acts of other features. */
export const financesActs = slot<{ balance: Money; gift: Money }>('finance.acts')

/** @public The slot below the balance for the payouts that are on their way. */
export const financesPayouts = slot<object>('finance.payouts')

/**
 * Pays a top-up by the saved way that is chosen in the form's field `provider`, and returns a refusal. Undefined if another way is chosen.
 */
export type TopUpWay = (
  fields: { text: (name: string) => string; checked: (name: string) => boolean },
  amount: Money,
) => Promise<{ errors: readonly { code: ErrorCode; param?: string | undefined }[] } | undefined> | undefined

/** The slot before the providers of a top-up with saved ways to pay; `takes` gets the function that pays by them. */
export const topUpWays = slot<{ onClose: () => void; takes: (way: TopUpWay) => void }>('finance.top_up_ways')

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
