import type { VatKind } from '#features/invoices/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import { m } from '#texts/messages.js'

const kinds = {
  standard: m.books_kind_standard,
  oss: m.books_kind_oss,
  reverse_charge: m.books_kind_reverse_charge,
  outside_eu: m.books_kind_outside_eu,
  small_business: m.books_kind_small_business,
} as const satisfies Record<VatKind, unknown>

/** Returns the name of a kind of VAT, in the given language or else the language of the page. */
export const kindText = (kind: VatKind, locale?: Locale): string =>
  kinds[kind]({}, locale ? { locale } : undefined)
