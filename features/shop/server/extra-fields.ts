import type { Plan } from '#features/licences/contract.ts'
import { withVat } from '#features/licences/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import { moneyText } from '#foundation/money.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import type { Typed } from './buy-form.ts'
import { termText } from './price-texts.ts'
import { priceButton } from './sum.ts'

type Extra = NonNullable<Plan['extras']>[number]
type Drawn = { locale: Locale; plan: Plan; typed: Pick<Typed, 'pieces'> }

/** The extras of a plan, each with its price, and the button that shows the sum; nothing where it has none. */
export function extraFields(drawn: Drawn): Html | undefined {
  const { locale, plan } = drawn
  const { extras = [] } = plan
  if (extras.length === 0) return undefined
  const isChosen = extras.some(({ kind }) => kind !== 'setup')
  return html`<fieldset>
    <legend>${m.sales_extras({}, { locale })}</legend>
    ${extras.map((extra) => (extra.kind === 'setup' ? fee(drawn, extra) : field(drawn, extra)))}
    ${isChosen && priceButton(drawn, m.shop_update_sum({}, { locale }))}
  </fieldset>`
}

const fee = ({ locale, plan }: Drawn, extra: Extra): Html =>
  html`<p class="field">${extra.name[locale]}: ${extraText(plan, extra, locale)}</p>`

/** One piece is a box to tick, several are a number. */
function field({ locale, plan, typed }: Drawn, extra: Extra): Html {
  const { slug, name, most } = extra
  const id = `extra.${slug}`
  const pieces = typed.pieces[slug] ?? 0
  const cost = extraText(plan, extra, locale)
  if (most === 1)
    return html`<div class="field">
      <label class="tick"
        ><input type="checkbox" name="${id}" value="1" ${pieces > 0 && html` checked`} /><span
          >${name[locale]} <span class="small">${cost}</span></span
        ></label
      >
    </div>`
  return html`<div class="field">
    <label for="${id}">${name[locale]}</label
    ><input
      id="${id}"
      name="${id}"
      type="number"
      min="0"
      max="${String(most)}"
      value="${String(pieces)}"
      inputmode="numeric"
      aria-describedby="${id}-note"
    />
    <p class="hint" id="${id}-note">${m.shop_extra_most({ cost, count: most }, { locale })}</p>
  </div>`
}

/** The price of an extra in words, with VAT. */
export function extraText(plan: Pick<Plan, 'vat_rate' | 'term'>, extra: Extra, locale: Locale): string {
  const price = moneyText(withVat(extra.price_net, plan), locale)
  if (extra.kind === 'addon')
    return m.shop_extra_term({ price, term: termText(plan.term, locale) }, { locale })
  return m.shop_extra_once({ price }, { locale })
}
