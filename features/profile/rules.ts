import { plainNumber } from '#foundation/typed-code.ts'

export { countryCodes } from './country-codes.ts'

/** The languages of the product. The uuids are part of the interface and never change. */
export const languages = [
  { uuid: '3f1c8a52-6f0e-4a3b-9d57-2b8e4c1a7e01', slug: 'en' },
  { uuid: '8b7d2e94-15c3-4f68-a0b9-6d3f5e2c9a02', slug: 'de' },
  { uuid: 'c4a96f17-9e2d-4b85-8c31-7f5a0d4e6b03', slug: 'ru' },
] as const

export const languageById = (uuid: string) => languages.find((language) => language.uuid === uuid)?.slug
export const languageId = (slug: string) =>
  (languages.find((known) => known.slug === slug) ?? languages[0]).uuid

/** The pages among which staff choose the one that they begin with (row R-12). */
export const firstPages = ['servers', 'tickets', 'today'] as const
export type FirstPage = (typeof firstPages)[number]

type Name = { name: string; middle_name: string; surname: string }

/** Name, middle name and surname as far as they are known (row R-13). */
export const fullName = ({ name, middle_name, surname }: Name) =>
  [name, middle_name, surname].filter(Boolean).join(' ')

// The forms of VAT identification numbers by prefix, as the tax authorities publish them (EU: VIES; then their neighbours).
const vatIdForms: Readonly<Record<string, RegExp>> = {
  AT: /^ATU\d{8}$/,
  BE: /^BE[01]\d{9}$/,
  BG: /^BG\d{9,10}$/,
  CY: /^CY\d{8}[A-Z]$/,
  CZ: /^CZ\d{8,10}$/,
  DE: /^DE\d{9}$/,
  DK: /^DK\d{8}$/,
  EE: /^EE\d{9}$/,
  EL: /^EL\d{9}$/,
  ES: /^ES(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^FI\d{8}$/,
  FR: /^FR[A-HJ-NP-Z\d]{2}\d{9}$/,
  HR: /^HR\d{11}$/,
  HU: /^HU\d{8}$/,
  IE: /^IE\d[A-Z\d+*]\d{5}[A-Z]{1,2}$/,
  IT: /^IT\d{11}$/,
  LT: /^LT(?:\d{9}|\d{12})$/,
  LU: /^LU\d{8}$/,
  LV: /^LV\d{11}$/,
  MT: /^MT\d{8}$/,
  NL: /^NL[A-Z\d+*]{10}\d{2}$/,
  PL: /^PL\d{10}$/,
  PT: /^PT\d{9}$/,
  RO: /^RO\d{2,10}$/,
  SE: /^SE\d{12}$/,
  SI: /^SI\d{8}$/,
  SK: /^SK\d{10}$/,
  XI: /^XI(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  GB: /^GB(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  CH: /^CHE\d{9}(?:MWST|TVA|IVA)?$/,
  NO: /^NO\d{9}(?:MVA)?$/,
}

// Prefixes that people write for those that the authorities use: the codes of countries, where they differ.
const prefixTwins: Readonly<Record<string, string>> = { GR: 'EL', UK: 'GB', CH: 'CHE' }

/** A VAT id as it is stored: without what people put in for reading, and with the prefix of the authority (rule 55). */
export function plainVatId(typed: string): string {
  const plain = plainNumber(typed)
  const prefix = /^[A-Z]{2}(?=\d)/.exec(plain)?.[0] ?? ''
  return (prefixTwins[prefix] ?? prefix) + plain.slice(prefix.length)
}

/** True if a plain VAT ID has the form of its country. Only an authority knows if it was ever issued. */
export const isVatId = (plain: string): boolean => vatIdForms[plain.slice(0, 2)]?.test(plain) ?? false

/** The ISO 3166-1 code of the country that gave out a VAT id. Greece writes EL, Northern Ireland XI. */
export function countryOfVatId(plain: string): string {
  const prefix = plain.slice(0, 2)
  return { EL: 'GR', XI: 'GB' }[prefix] ?? prefix
}

// Codes that others write for countries: ISO 3166-1 reserves IC (Canaries), EA (Ceuta and Melilla) and UK; the EU writes EL and XI.
const countryTwins: Readonly<Record<string, string>> = { IC: 'ES', EA: 'ES', EL: 'GR', UK: 'GB', XI: 'GB' }

/** A country as it is stored, by the officially assigned codes of ISO 3166-1 (rule 55). The postcode knows the territory. */
export const plainCountry = (typed: string): string => countryTwins[typed] ?? typed

/** The mails that can be switched on or off, each kind for itself; `news` alone is off until somebody asks for it. */
export type MailKind = 'ticket_replies' | 'ticket_closing' | 'new_tickets' | 'news'
