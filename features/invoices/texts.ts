import { inLanguage, type Locale } from '#foundation/locale.ts'
import { amountOf, moneyText, toMoney } from '#foundation/money.ts'
import { m } from '#texts/messages.js'
import { getLocale } from '#texts/runtime.js'
import type { Invoice, InvoiceSummary } from './contract.ts'
import type { LimitName } from './rules.ts'
import type { LineDescription, Note, Reduction } from './shapes.ts'

/**
 * Returns the name of a document, in the page's language or in `locale`. A credit note is not called "Gutschrift" in German: by German law
 * a "Gutschrift" is an invoice that the buyer writes.
 */
export function documentText(
  { kind, cancels }: Pick<InvoiceSummary, 'kind' | 'cancels'>,
  locale?: Locale,
): string {
  const options = locale ? { locale } : undefined
  if (kind === 'invoice') return m.invoices_invoice({}, options)
  return cancels ? m.invoices_cancellation({}, options) : m.invoices_credit_note({}, options)
}

const limitTexts = {
  eu_consumers: m.invoices_limit_eu_consumers,
  small_business: m.invoices_limit_small_business,
  small_business_next_year: m.invoices_limit_small_business_next_year,
} as const satisfies Record<LimitName, unknown>

/** The name of a limit on a seller's turnover, in the page's language or in `locale`. */
export const limitText = (name: LimitName, locale?: Locale): string =>
  limitTexts[name]({}, locale ? { locale } : undefined)

/** The text of an invoice line, in the page's language or in `locale`. */
export function lineText({ code, params }: LineDescription, locale?: Locale): string {
  const options = locale ? { locale } : undefined
  const word = (name: string) => inLanguage(params[name], locale ?? getLocale())
  const [host, plan, number, text] = [word('host'), word('plan'), word('number'), word('text')]
  switch (code) {
    case 'licence_order':
      return m.invoices_line_licence_order({ host, plan }, options)
    case 'licence_renewal':
      return m.invoices_line_licence_renewal({ host, plan }, options)
    case 'licence_upgrade':
      return m.invoices_line_licence_upgrade({ host, plan }, options)
    case 'extra':
      return word('count') === ''
        ? m.invoices_line_extra({ extra: word('extra'), host }, options)
        : m.invoices_line_extra_count({ extra: word('extra'), host, count: word('count') }, options)
    case 'partial_refund':
      return m.invoices_line_partial_refund({ number }, options)
    case 'refund_of_host':
      return m.invoices_line_refund_of_host({ host, number }, options)
    case 'rest_of_invoice':
      return m.invoices_line_rest_of_invoice({ number }, options)
    case 'text':
      return text
    default:
      return code satisfies never
  }
}

/** The reason why a line costs less, in the page's language or in `locale`. */
export function reductionText({ params }: Reduction, locale?: Locale): string {
  const options = locale ? { locale } : undefined
  const word = (name: string) => inLanguage(params[name], locale ?? getLocale())
  const [code, percent] = [word('code'), word('percent')]
  return percent === ''
    ? m.invoices_reduction_promo_code({ code }, options)
    : m.invoices_reduction_promo_code_percent({ code, percent }, options)
}

function stateVat(word: (name: string) => string, dateText: (day: string) => string, locale: Locale) {
  const [to, from, rate, source] = [word('currency'), word('from'), word('rate'), word('source')]
  const vat = moneyText(toMoney(BigInt(word('amount')), to), locale)
  return { vat, to, from, rate, source, date: dateText(word('day')) }
}

/** The text of a note. `dateText` writes a day, `2026-01-31`, as the reader does. */
export function noteText({ code, params }: Note, dateText: (day: string) => string, locale?: Locale): string {
  const options = locale ? { locale } : undefined
  const word = (name: string) => inLanguage(params[name], locale ?? getLocale())
  const [number, date, text] = [word('number'), word('date'), word('text')]
  switch (code) {
    case 'reverse_charge':
      return m.invoices_note_reverse_charge({}, options)
    case 'outside_eu':
      return m.invoices_note_outside_eu({}, options)
    case 'small_business':
      return [word('statement'), m.invoices_note_small_business({ law: word('law') }, options)]
        .filter((sentence) => sentence !== '')
        .join(' ')
    case 'state_vat':
      return m.invoices_note_state_vat(stateVat(word, dateText, locale ?? getLocale()), options)
    case 'paid':
      return m.invoices_note_paid({}, options)
    case 'upgraded':
      return m.invoices_note_upgraded({}, options)
    case 'given_back':
      return m.invoices_note_given_back({}, options)
    case 'credit_note_of':
      return m.invoices_note_credit_note_of({ number, date: dateText(date) }, options)
    case 'reissued':
      return m.invoices_note_reissued({}, options)
    case 'replaces':
      return m.invoices_note_replaces({ number, date: dateText(date) }, options)
    case 'difference_given_back':
      return m.invoices_note_difference_given_back({}, options)
    case 'text':
      return text
    default:
      return code satisfies never
  }
}

// Proper names, which all languages write alike.
const territories: Readonly<Record<string, string>> = {
  'AT-JUNGHOLZ': 'Jungholz',
  'AT-MITTELBERG': 'Mittelberg',
  'DE-BUESINGEN': 'Büsingen',
  'DE-HELGOLAND': 'Helgoland',
  'GR-ATHOS': 'Athos',
  'IT-CAMPIONE': 'Campione d’Italia',
  'IT-LIVIGNO': 'Livigno',
  'PT-20': 'Açores',
  'PT-30': 'Madeira',
}

/** Returns the name of a place by its code: a country, or a territory such as 'Germany (Helgoland)'. */
export function placeText(code: string): string {
  const country = new Intl.DisplayNames(getLocale(), { type: 'region' }).of(code.slice(0, 2)) ?? code
  const territory = territories[code]
  return territory === undefined ? country : `${country} (${territory})`
}

/** Returns the names of countries as a list: 'Germany and Austria'. */
export const placesText = (codes: readonly string[]): string =>
  new Intl.ListFormat(getLocale()).format(codes.map((code) => placeText(code)))

/** True if a gift has lowered the document. */
export const isLowered = ({ gift }: Pick<Invoice, 'gift'>): boolean => amountOf(gift) > 0n

/** The sentence about the gift that has lowered a document, if one has. */
export function giftNotes({ kind, gift }: Pick<Invoice, 'kind' | 'gift'>, locale?: Locale): string[] {
  if (!isLowered({ gift })) return []
  const amount = moneyText(gift, locale ?? getLocale())
  const options = locale ? { locale } : undefined
  return [
    kind === 'invoice' ? m.invoices_gift({ amount }, options) : m.invoices_gift_back({ amount }, options),
  ]
}
