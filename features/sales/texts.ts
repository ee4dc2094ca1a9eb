import { inLanguage, type Locale, type Translated } from '#foundation/locale.ts'
import { m } from '#texts/messages.js'
import { getLocale } from '#texts/runtime.js'
import type { CheckoutPurpose, PaidBulkAct } from './rules.ts'

/** Without a locale, the sentence is in the language of the page. */
type In = { locale?: Locale }
type Named = {
  for: CheckoutPurpose
  plan: Translated | null
  host_name: string
  bulk?: { act: PaidBulkAct; servers: number } | undefined
}

/** The name of a checkout, for its page, its list and its mail. */
export function checkoutName({ for: purpose, plan, host_name: host, bulk }: Named, options: In = {}): string {
  const names = { plan: inLanguage(plan ?? undefined, options.locale ?? getLocale()), host }
  switch (purpose) {
    case 'order':
      return host === '' ? m.sales_checkout_order(names, options) : m.sales_checkout_order_of(names, options)
    case 'renewal':
      return m.sales_checkout_renewal(names, options)
    case 'upgrade':
      return m.sales_checkout_upgrade(names, options)
    case 'bulk':
      return bulk
        ? severals[bulk.act]({ count: bulk.servers }, options)
        : m.sales_checkout_top_up({}, options)
    case 'top_up':
      return m.sales_checkout_top_up({}, options)
    default:
      return purpose satisfies never
  }
}

const severals = {
  order: m.sales_checkout_bulk_order,
  renew: m.sales_checkout_bulk_renewal,
  upgrade: m.sales_checkout_bulk_upgrade,
} as const

/** The sentence that says why a checkout was not done, by the code that its order was refused with. */
export const whyRefused = (code: string, options: In = {}): string =>
  (reasons[code] ?? m.sales_checkout_why_other)({}, options)

const reasons: Readonly<Record<string, (inputs: Record<string, never>, options: In) => string>> = {
  ipv4_licensed: m.sales_checkout_why_address,
  ipv6_licensed: m.sales_checkout_why_address,
  price_changed: m.sales_checkout_why_price,
  not_found: m.sales_checkout_why_gone,
  host_suspended: m.sales_checkout_why_suspended,
  servers_refused: m.sales_checkout_why_changed,
  too_many_hosts: m.sales_checkout_why_changed,
  already_renewed: m.sales_checkout_why_renewed,
  not_an_upgrade: m.sales_checkout_why_changed,
  too_little_left: m.sales_checkout_why_changed,
  account_blocked: m.sales_checkout_why_blocked,
  not_allowed_for_role: m.sales_checkout_why_helper,
  second_factor_required: m.sales_checkout_why_helper,
  helper_ended: m.sales_checkout_why_helper,
  helper_limit_reached: m.sales_checkout_why_helper,
  insufficient_balance: m.sales_checkout_why_balance,
  payment_limit_reached: m.sales_checkout_why_balance,
  terms_changed: m.sales_checkout_why_terms,
  terms_not_accepted: m.sales_checkout_why_terms,
  billing_address_required: m.sales_checkout_why_invoice,
  unknown_plan: m.sales_checkout_why_plan,
  promo_expired: m.sales_checkout_why_promo,
  promo_used_up: m.sales_checkout_why_promo,
  promo_used: m.sales_checkout_why_promo,
  promo_other_edition: m.sales_checkout_why_promo,
  promo_first_order_only: m.sales_checkout_why_promo,
  unknown_promo: m.sales_checkout_why_promo,
  late: m.sales_checkout_why_late,
  payment_reversed: m.sales_checkout_why_reversed,
  payment_failed: m.sales_checkout_why_payment,
}
