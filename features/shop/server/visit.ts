import type { FastifyRequest } from 'fastify'
import { countryOfNetwork } from '#features/invoices/server/invoices.ts'
import { countryCodes, plainCountry } from '#features/profile/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { clientAddress } from '#foundation/server/http/client-address.ts'
import type { Brought } from './addresses.ts'

export type Visit = {
  locale: Locale
  /** The country whose VAT the prices have, and whether the visitor chose it. */
  country: string
  isChosen: boolean
  /** True if the address names the language. */
  isNamed: boolean
  /** The promo code and the mailbox of the link, which go on to the form. */
  brought: Required<Brought>
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

/** The things that a link brings along for the form; empty where it brings none. */
export const broughtBy = ({ query }: Pick<FastifyRequest, 'query'>): Required<Brought> => ({
  code: textIn(query, 'code', 40),
  email: textIn(query, 'email', 320),
})

function textIn(query: unknown, name: string, longest: number): string {
  const given: unknown = Reflect.get(Object(query), name)
  return typeof given === 'string' ? given.toWellFormed().slice(0, longest) : ''
}
