import type { VatKind } from '#features/invoices/rules.ts'
import type { Note } from '#features/invoices/shapes.ts'
import { euCountries } from './vat-rates.ts'

/** A time as a small business, by the days in the operator's time zone; `until` is its last day, undefined while it has no end. */
export type SmallBusinessTime = { from: string; until: string | undefined }

/** The law of a state on small businesses: the words that its invoices bear, and the turnover up to which it holds. */
type Law = {
  /** The provision, as it is cited in the state. */
  law: string
  /** The sentence of an invoice in the state's own language, where that language is not the document's. */
  statement: string | { en: string; de: string; ru: string }
  /** The code of the reason (BT-121) where the list VATEX has one. */
  code?: string
  /** The greatest turnovers of a year in whole euros: for the exemption in the next year, and in the present one. */
  most?: { next: number; present: number }
}

/**
 * The schemes for small enterprises (VAT directive 2006/112/EC, article 284, as amended by directive 2020/285, from 2025 on; rule 54). As
 * known in January 2026. DE: UStG, section 19 (Jahressteuergesetz 2024), UStDV, section 34a. AT: UStG 1994, section 6 (1) no. 27. FR: CGI,
 * article 293 B, services; code list VATEX of the European Commission, which has none for the other states. The limits of other states are
 * not known: nothing warns of them.
 */
const laws: Readonly<Record<string, Law>> = {
  DE: {
    law: '§ 19 UStG',
    statement: german(
      'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet (Steuerbefreiung für Kleinunternehmer).',
    ),
    most: { next: 25_000, present: 100_000 },
  },
  AT: {
    law: '§ 6 Abs. 1 Z 27 UStG',
    statement: german('Umsatzsteuerfrei aufgrund der Kleinunternehmerregelung.'),
    most: { next: 55_000, present: 55_000 },
  },
  FR: {
    law: 'art. 293 B CGI',
    statement: 'TVA non applicable, art. 293 B du CGI.',
    code: 'VATEX-FR-FRANCHISE',
    most: { next: 37_500, present: 41_250 },
  },
}

// A document in German says the same by a text of its own.
function german(sentence: string) {
  return { en: sentence, de: '', ru: sentence }
}

const lawOf = (country: string): Law | undefined =>
  laws[country] ??
  (euCountries.includes(country) ? { law: 'Art. 284, 2006/112/EC', statement: '' } : undefined)

/** True if a seller in this country can be a small business here: a member state, whose documents state an exemption (category E). */
export const knowsSmallBusiness = (country: string): boolean => lawOf(country) !== undefined

/** Returns the limits on the turnover of a small business; undefined where they are not known. */
export const smallBusinessLimits = (country: string): Law['most'] => lawOf(country)?.most

/** True on a day (`2026-11-21`) on which the seller is a small business. */
export const isSmallBusinessOn = (times: readonly SmallBusinessTime[], day: string): boolean =>
  times.some(({ from, until }) => from <= day && (until === undefined || day <= until))

/** Returns the note by which a document of a small business says that it states no VAT, and why. */
export function smallBusinessNote(country: string): Note {
  const { law, statement } = lawOf(country) ?? { law: '', statement: '' }
  return { code: 'small_business', params: { law, statement } }
}

/**
 * Returns the note by which a price says why it has no VAT; undefined if it is not for the seller's standing. A sentence in the seller's
 * language is what the law wants on documents: a price says it in the reader's alone.
 */
export function priceNote({ kind }: { kind: VatKind }, { country }: { country: string }): Note | undefined {
  if (kind !== 'small_business') return undefined
  const { code, params } = smallBusinessNote(country)
  return { code, params: { ...params, statement: '' } }
}

/** Returns the code of the reason for the exemption, where the code list has one for the seller's state. */
export const smallBusinessCode = (country: string): string => lawOf(country)?.code ?? ''
