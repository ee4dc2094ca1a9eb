import type { FastifyRequest } from 'fastify'
import { countryOfNetwork } from '#features/invoices/server/invoices.ts'
import { countryCodes, plainCountry } from '#features/profile/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { clientAddress } from '#foundation/server/http/client-address.ts'

export type Visit = {
  locale: Locale
  /** The country whose VAT the prices have, and whether the visitor chose it. */
  country: string
  isChosen: boolean
  /** True if the address names the language. */
  isNamed: boolean
  /** The promo code of the link, which goes on to the form. */
  code: string
}

/** The country of the visitor: the one that they chose, else that of their network, else the seller's. Nothing of the address is kept. */
export function countryOf(app: App, request: FastifyRequest): Pick<Visit, 'country' | 'isChosen'> {
  const given: unknown = Reflect.get(Object(request.query), 'country')
  const chosen = typeof given === 'string' ? plainCountry(given) : ''
  if (countryCodes.includes(chosen)) return { country: chosen, isChosen: true }
  const near = countryOfNetwork(clientAddress(request, app.config.trustedProxies))
  const known = near !== null && countryCodes.includes(near) ? near : plainCountry(app.config.company.country)
  return { country: known, isChosen: false }
}

/** The promo code that a link carries; empty if it carries none. */
export function codeOf({ query }: Pick<FastifyRequest, 'query'>): string {
  const given: unknown = Reflect.get(Object(query), 'code')
  return typeof given === 'string' ? given.slice(0, 40) : ''
}
