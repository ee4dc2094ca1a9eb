import type { Plan } from '#features/licences/contract.ts'
import type { Locale } from '#foundation/locale.ts'
import { moneyText, type Money } from '#foundation/money.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import { buyAddress } from './addresses.ts'
import { textField, type Drawn } from './fields.ts'
import { taxText } from './price-texts.ts'

export type Summed = Drawn & {
  plan: Plan
  /** The price without the promo code, where one lowers it. */
  before?: Money | undefined
  /** The amount that is asked for: the price, or the smallest payment where that is more. */
  amount: Money
  /** True if what was typed had changed the sum before it was to be paid: nobody pays a sum that they have not seen. */
  isNew: boolean
  /** True if the typed code would take off all of the price. */
  isFree: boolean
}

/** The sum to pay, with VAT, and what a promo code takes off. */
export function sumOf({ locale, plan, typed, amount, before, isNew }: Summed): Html {
  const { promo, price_total } = plan
  return html`<div class="sum" id="sum" ${isNew && html` role="alert"`}>
    ${isNew && html`<p><b>${m.shop_new_sum({}, { locale })}</b></p>`}
    <p>
      <span>${m.shop_total({}, { locale })}</span>
      ${before && html` <s class="small">${moneyText(before, locale)}</s>`}
      <span class="price">${moneyText(price_total, locale)}</span>
      <span class="small">${taxText(plan, { locale, country: typed.country })}</span>
      ${amount.amount !== price_total.amount && html`<br /><span class="small">${m.shop_smallest({ amount: moneyText(amount, locale) }, { locale })}</span>`}
    </p>
    ${promo && html`<p class="small">${m.sales_promo_applied({ code: promo.code }, { locale })}. ${promo.renewals > 0 ? m.sales_promo_renewals({ count: promo.renewals }, { locale }) : m.sales_promo_once({}, { locale })}</p>`}
  </div>`
}

/** The field for a promo code, folded away while it is empty, with the button that shows the sum with it. */
export function promoField(drawn: Summed): Html {
  const { locale, typed, plan, isFree } = drawn
  const hint = isFree ? { hint: m.shop_code_free({}, { locale }) } : {}
  return html`<details ${typed.code !== '' && html` open`}>
    <summary>${m.sales_promo_ask({}, { locale })}</summary>
    ${textField(drawn, { name: 'code', label: m.sales_promo({}, { locale }), fill: 'off', ...hint })}
    ${priceButton({ locale, plan }, m.sales_promo_apply({}, { locale }))}
  </details>`
}

/** A button that shows the page again with its new sum, at the sum. */
export const priceButton = (
  { locale, plan: { slug } }: { locale: Locale; plan: Pick<Plan, 'slug'> },
  text: string,
): Html =>
  html`<button
    class="button small-button"
    name="act"
    value="price"
    formaction="${buyAddress(slug, { locale })}#sum"
    formnovalidate
  >
    ${text}
  </button>`
