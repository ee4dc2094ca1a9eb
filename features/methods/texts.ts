import type { Locale } from '#foundation/locale.ts'
import type { MethodKind } from '#features/finance/rules.ts'
import * as m from '#texts/messages.js'

export type NamedMethod = { kind: MethodKind; brand: string; last4: string }

const kinds = {
  card: m.methods_card,
  sepa_debit: m.methods_sepa_debit,
  paypal: m.methods_paypal,
} as const

/** The name of a method: Visa •••• 4242, Direct debit •••• 3000. */
export function methodName({ kind, brand, last4 }: NamedMethod, options?: { locale: Locale }): string {
  const name = brand === '' ? kinds[kind]({}, options) : brand
  return last4 === '' ? name : `${name} •••• ${last4}`
}

/** The last month of a card, as it is printed on it: 2031-04 as 04/2031. */
export const methodEnd = (expires: string): string => expires.slice(0, 7).split('-').toReversed().join('/')
