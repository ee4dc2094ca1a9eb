import { inLanguage, type Locale } from '#foundation/locale.ts'
import { amountOf, moneyText, type Money } from '#foundation/money.ts'
import { m } from '#texts/messages.js'
import { getLocale } from '#texts/runtime.js'
import type { Description, ProviderName, TransactionType } from './rules.ts'

/** Returns the purpose of a transaction as a sentence, in the page's language or in `locale`. Codes are in `rules.ts`. */
export function descriptionText({ code, params }: Description, locale?: Locale): string {
  const options = locale ? { locale } : undefined
  const word = (name: string) => inLanguage(params[name], locale ?? getLocale())
  const [host, plan, reason, provider] = [word('host'), word('plan'), word('reason'), word('provider')]
  const by = isProvider(provider) ? PROVIDERS[provider]({}, options) : ''
  switch (code) {
    case 'top_up':
      return m.finance_description_top_up({ by }, options)
    case 'voucher':
      return m.finance_description_voucher({}, options)
    case 'credit':
      return m.finance_description_credit({ reason }, options)
    case 'charge_back':
      return because(m.finance_description_charge_back({ by }, options), reason)
    case 'charge_back_reversed':
      return m.finance_description_charge_back_reversed({ by }, options)
    case 'correction':
      return because(m.finance_description_correction({}, options), reason)
    case 'charge_back_undone':
      return because(m.finance_description_charge_back_undone({}, options), reason)
    case 'written_off':
      return because(m.finance_description_written_off({}, options), reason)
    case 'pay_out':
      return because(m.finance_description_pay_out({ reference: word('reference') }, options), reason)
    case 'payout':
      return because(m.finance_description_payout({ by }, options), reason)
    case 'payout_returned':
      return because(m.finance_description_payout_returned({ by }, options), reason)
    case 'merge':
      return m.finance_description_merge({}, options)
    case 'licence_order':
      return m.finance_description_licence_order({ host, plan }, options)
    case 'licence_renewal':
      return m.finance_description_licence_renewal({ host, plan }, options)
    case 'licence_auto_renewal':
      return m.finance_description_licence_auto_renewal({ host, plan }, options)
    case 'licence_upgrade':
      return m.finance_description_licence_upgrade({ host, plan }, options)
    case 'licence_orders':
      return m.finance_description_licence_orders({ count: Number(word('count')) }, options)
    case 'licence_renewals':
      return m.finance_description_licence_renewals({ count: Number(word('count')) }, options)
    case 'licence_upgrades':
      return m.finance_description_licence_upgrades({ count: Number(word('count')), plan }, options)
    case 'upgrade_credit':
      return m.finance_description_upgrade_credit({ host, plan }, options)
    case 'refund':
      return m.finance_description_refund({ reason }, options)
    case 'refund_of_host':
      return m.finance_description_refund_of_host({ host, reason }, options)
    default:
      return code satisfies never
  }
}

/** The name of a transaction's type (row F-01). */
export const typeText = (type: TransactionType, locale?: Locale): string =>
  TYPES[type]({}, locale ? { locale } : undefined)

/**
 * The kind of a transaction as people know it: the name of its type, unless its purpose has one of its own. A correction is booked as a
 * chargeback, and is none.
 */
export const movementText = ({ type, description }: Kind, locale?: Locale): string =>
  KINDS[description.code]?.({}, locale ? { locale } : undefined) ?? typeText(type, locale)

type Kind = { type: TransactionType; description: Pick<Description, 'code'> }

const KINDS: Readonly<Partial<Record<Description['code'], typeof m.finance_kind_correction>>> = {
  correction: m.finance_kind_correction,
  charge_back_undone: m.finance_kind_correction,
  written_off: m.finance_kind_written_off,
  pay_out: m.finance_kind_pay_out,
  payout: m.finance_kind_pay_out,
  payout_returned: m.finance_kind_payout_returned,
  merge: m.finance_kind_merge,
}

/** Says how much of a balance is a gift, in the page's language; undefined for a balance without one. */
export const giftInText = (gift: Money): string | undefined =>
  amountOf(gift) > 0n ? m.finance_balance_gift({ amount: moneyText(gift, getLocale()) }) : undefined

const because = (text: string, reason: string): string => (reason === '' ? text : `${text}: ${reason}`)

const PROVIDERS = {
  test: m.finance_by_test,
  bank: m.finance_by_bank,
  stripe: m.finance_by_stripe,
  mollie: m.finance_by_mollie,
} as const

const isProvider = (name: string): name is ProviderName => Object.hasOwn(PROVIDERS, name)

const TYPES = {
  fill_balance: m.finance_type_fill_balance,
  fill_balance_voucher: m.finance_type_fill_balance_voucher,
  charge_back: m.finance_type_charge_back,
  spend: m.finance_type_spend,
  return_on_balance: m.finance_type_return_on_balance,
  inner_spending: m.finance_type_inner_spending,
  inner_refund: m.finance_type_inner_refund,
} as const
