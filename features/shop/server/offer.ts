import { createHash } from 'node:crypto'
import { vatForStranger } from '#features/invoices/server/invoices.ts'
import { countingTries, findPromo, plansOnSale, type Promo } from '#features/licences/server/licences.ts'
import type { Plan } from '#features/licences/contract.ts'
import { withExtras } from '#features/licences/rules.ts'
import { amountOf, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { ErrorCode } from '#texts/errors.js'
import type { Typed } from './buy-form.ts'

export type Offer = {
  /** The plan at its price with the typed extras, lowered by the typed promo code. */
  plan: Plan
  /** The price without the code, where one lowers it. */
  before?: Money | undefined
  /** The reason why the typed code lowers nothing. */
  fault?: ErrorCode | undefined
  /** True if the typed code takes off all of the price: a purchase without an account is a payment, so the code is left out. */
  isFree?: boolean
}

type Asked = Pick<Typed, 'country' | 'zip' | 'city' | 'pieces' | 'code'>

/**
 * Returns a plan as a consumer at this address can buy it now; undefined if it is not sold. `ip` counts attempts with unknown promo codes: the
 * attack is guessing.
 */
export async function offerFor(app: App, slug: string, typed: Asked, ip: string): Promise<Offer | undefined> {
  const vat = await vatForStranger(app, app.db, typed)
  const { promo, fault } = typed.code === '' ? {} : await promoFor(app, typed.code, ip)
  const listed = (await plansOnSale(app, app.db, vat, promo)).find((one) => one.slug === slug)
  if (!listed) return undefined
  const { plan } = withExtras(listed, typed.pieces)
  if (!listed.promo) return { plan, fault: fault ?? (promo && 'promo_other_edition') }
  if (amountOf(plan.price_total) === 0n) {
    const paid = await offerFor(app, slug, { ...typed, code: '' }, ip)
    return paid && { ...paid, isFree: true }
  }
  const full = { ...listed, price_net: listed.promo.net_before, price_total: listed.promo.total_before }
  return { plan, before: withExtras(full, typed.pieces).plan.price_total }
}

type Found = { promo?: Promo; fault?: ErrorCode | undefined }

async function promoFor(app: App, code: string, ip: string): Promise<Found> {
  try {
    return await countingTries(app, ip, code, () => findPromo(app, app.db, null, code))
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    return { fault: error.errors[0]?.code }
  }
}

/** A short name of all that was typed and decides the price: a form whose name is another one asks for a sum that its sender has not seen. */
export const nameOfSum = ({ country, zip, city, pieces, code }: Asked): string =>
  createHash('sha256')
    .update(
      JSON.stringify([country, zip, city, code, Object.keys(pieces).map((slug) => [slug, pieces[slug]])]),
    )
    .digest('base64url')
    .slice(0, 16)
