import type { Plan } from '#features/licences/contract.ts'
import { html, type Html } from '#foundation/server/http/html.ts'
import * as m from '#texts/messages.js'
import { asksForAddress } from './buy-form.ts'
import { countryOptions } from './country-form.ts'
import { priceButton } from './sum.ts'
import { describedBy, noteOf, textField, type Drawn } from './fields.ts'

/** The server for which a licence counts. */
export function serverFields(drawn: Drawn): Html {
  const { locale } = drawn
  const ipv4 = {
    name: 'ipv4',
    label: m.shop_ipv4({}, { locale }),
    fill: 'off',
    hint: m.shop_ipv4_hint({}, { locale }),
    must: true,
  } as const
  const server = { name: 'server', label: m.shop_server({}, { locale }), fill: 'off' } as const
  return html`<div class="row">${textField(drawn, ipv4)}${textField(drawn, server)}</div>`
}

/** The country, which decides the VAT, and the address, which larger invoices and those of companies must name. */
export function buyerFields(buying: Drawn & { plan: Plan }): Html {
  const { locale, faults, typed, plan } = buying
  const note = noteOf(buying, 'country', undefined)
  const country = html`<div class="field">
    <label for="country">${m.shop_buyer_country({}, { locale })}</label
    ><select id="country" name="country" autocomplete="country" ${describedBy('country', faults, note)}>
      ${countryOptions(typed.country, locale)}</select
    >${note} ${priceButton(buying, m.shop_show_price({}, { locale }))}
  </div>`
  const must = asksForAddress(plan, typed)
  const text = (name: 'name' | 'surname' | 'company' | 'address' | 'zip' | 'city', fill: string) =>
    textField(buying, { name, fill, label: labels[name]({}, { locale }), must: must && requires.has(name) })
  const fields = html`<div class="row">${text('name', 'given-name')}${text('surname', 'family-name')}</div>
    ${text('company', 'organization')}${text('address', 'address-line1')}
    <div class="row">${text('zip', 'postal-code')}${text('city', 'address-level2')}</div>`
  if (must)
    return html`${country}
      <fieldset>
        <legend>${m.shop_invoice_address({}, { locale })}</legend>
        ${fields}
      </fieldset>`
  return html`${country}
    <details ${['company', 'name', 'address'].some((name) => Reflect.get(typed, name) !== '') && html` open`}>
      <summary>${m.shop_invoice_address_optional({}, { locale })}</summary>
      ${fields}
    </details>`
}

const requires = new Set<string>(['name', 'address', 'city'])
const labels = {
  name: m.profile_name,
  surname: m.profile_surname,
  company: m.profile_company,
  address: m.profile_address,
  zip: m.profile_zip,
  city: m.profile_city,
} as const
