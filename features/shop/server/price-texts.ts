import { noteText } from '#features/invoices/texts.ts'
import type { Plan } from '#features/licences/contract.ts'
import { months } from '#features/licences/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import * as m from '#texts/messages.js'
import type { Visit } from './visit.ts'

/** The months of a term, as people say it: '3 months', '1 year'. */
export const termText = (term: Plan['term'], locale: Locale): string => {
  const unit = term === 'P1Y' ? 'year' : 'month'
  const count = term === 'P1Y' ? 1 : months[term]
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

export const percentText = (percent: string, locale: Locale): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(Number(percent) / 100)

export const countryName = (country: string, locale: Locale): string =>
  new Intl.DisplayNames([locale], { type: 'region' }).of(country) ?? country

/** The words of a price about VAT: its rate and country, that there is none, or why a small business charges none. */
export function taxText(
  { vat_rate, vat_note }: Pick<Plan, 'vat_rate' | 'vat_note'>,
  { locale, country }: Pick<Visit, 'locale' | 'country'>,
): string {
  if (vat_note) return noteText(vat_note, (day) => day, locale)
  const named = { country: countryName(country, locale) }
  if (vat_rate === '0') return m.shop_no_vat(named, { locale })
  return m.shop_with_vat({ rate: percentText(vat_rate, locale), ...named }, { locale })
}
