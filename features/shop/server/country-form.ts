import { countryCodes } from '#features/profile/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import { countryName } from './price-texts.ts'
import type { Visit } from './visit.ts'

/** The choice of the country whose VAT the prices have. It is a form of its own, so that it works without a script, and keeps what the link has brought. */
export function countryForm({ locale, country, brought }: Visit, action: string): Html {
  return html`<form class="country" method="get" action="${action}">
    <label
      >${m.shop_country({}, { locale })}<select name="country" autocomplete="country">
        ${countryOptions(country, locale)}
      </select></label
    >
    ${Object.entries(brought)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button class="button">${m.shop_show_prices({}, { locale })}</button>
  </form>`
}

/** All countries by their names, with one chosen; '' for none. */
export const countryOptions = (country: string, locale: Locale): readonly Html[] =>
  countryCodes
    .map((code) => ({ code, name: countryName(code, locale) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, locale))
    .map(
      ({ code, name }) =>
        html`<option value="${code}" ${code === country && html` selected`}>${name}</option>`,
    )
