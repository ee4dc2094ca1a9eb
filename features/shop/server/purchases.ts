import { createHash } from 'node:crypto'
import { announceGuest, beginGuest, guestProviders, sweepGuests } from '#features/finance/server/finance.ts'
import { vatForStranger } from '#features/invoices/server/invoices.ts'
import type { Plan } from '#features/licences/contract.ts'
import { tryBought } from '#features/sales/server/sales.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import type { Locale } from '#foundation/locale.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Origin } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, undone, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { randomId } from '#foundation/server/random-id.ts'
import { thanksAddress } from './addresses.ts'
import type { Typed } from './buy-form.ts'
import { openAccount } from './open-account.ts'
import {
  insertPurchase,
  purchaseByForm,
  purchaseOf,
  purchasesOf,
  sweepPurchases,
  type PurchaseWish,
} from './purchase-queries.ts'

/** The time for which a purchase keeps its price; money that comes later goes to the balance of the account that it makes. */
const OPEN_HOURS = 24

/** The amount that is asked for, in minor units: the price, or the smallest payment that is taken, whose rest goes to the balance. */
export const amountFor = ({ config }: App, plan: Plan): bigint => {
  const total = amountOf(plan.price_total)
  return total > config.topUp.min ? total : config.topUp.min
}

export type Sent = { plan: Plan; typed: Typed; locale: Locale; network: string | null; origin: Origin }

/**
 * Stores a purchase with its payment, and returns its public id; the same form sent again is the same purchase. Its whole order is done for an
 * account that is made and undone with it, so that whatever would refuse it refuses it before it is paid, and no answer depends on whether the
 * address has an account. Throws what the order would throw.
 */
export async function makePurchase(app: App, sent: Sent): Promise<string> {
  const { plan, typed, locale } = sent
  const provider = must(guestProviders(app).find((name) => name === typed.provider) ?? guestProviders(app)[0])
  const form_hash = digestOf(sent)
  return transaction(app, 'system', async (tx) => {
    await lockByName(tx, `purchase ${form_hash.toString('hex')}`)
    const before = await purchaseByForm(tx, form_hash)
    if (before) return before.public_id
    const email = must(canonicalEmail(typed.email))
    const [total, amount] = [amountOf(plan.price_total), amountFor(app, plan)]
    const wish = wishOf(sent)
    await undone(tx, () => tryPurchase(app, tx, { email, locale, wish, total }))
    const public_id = randomId()
    const back = thanksAddress(public_id)
    await announceGuest(app, tx, { public_id, provider, amount, locale, back })
    const { currency } = app.config
    const row = { public_id, form_hash, email, locale, wish, total, amount, currency }
    await insertPurchase(tx, row, OPEN_HOURS)
    return public_id
  })
}

type Tried = { email: string; locale: Locale; wish: PurchaseWish; total: bigint }

async function tryPurchase(app: App, tx: Tx, { email, locale, wish, total }: Tried): Promise<void> {
  const user_id = await openAccount(app, tx, { email, locale, wish })
  const { plan, plan_name, server: name, ipv4, begin_now, extras, promo } = wish
  const bought = { plan, plan_name, name, ipv4, begin_now, extras, promo, total }
  await tryBought(app, tx, user_id, { ...bought, vat: await vatForStranger(app, tx, wish) })
}

function wishOf({ plan, typed, network, origin }: Sent): PurchaseWish {
  const { server, ipv4, country, name, surname, company, address, zip, city, terms, begin_now, pieces } =
    typed
  const extras = Object.entries(pieces).map(([extra, quantity]) => ({ extra, quantity }))
  return {
    plan: plan.slug,
    plan_name: plan.name,
    server,
    ipv4: plan.product?.asks_address === false ? null : ipv4,
    country,
    name,
    surname,
    company,
    address,
    zip,
    city,
    ...(terms === '' ? {} : { terms }),
    begin_now: begin_now !== '',
    ...(extras.length > 0 && { extras }),
    ...(plan.promo && { promo: plan.promo.code }),
    network,
    origin,
  }
}

/** A digest of the form: of its own key, which each opened form has, and of all that was typed. */
const digestOf = ({ typed, plan, locale }: Sent): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([plan.slug, locale, { ...typed, act: '' }]))
    .digest()

/**
 * Returns all that was typed into the form of a purchase whose payment has failed, to be paid in another way; undefined for any other. Its id,
 * which nobody guesses, is known to the visitor alone.
 */
export async function typedBefore(app: App, plan: string, public_id: string): Promise<object | undefined> {
  const purchase = await purchaseOf(app.db, public_id)
  if (purchase?.state !== 'open' || purchase.failed_at === null || purchase.is_over) return undefined
  const { email, wish } = purchase
  if (wish.plan !== plan) return undefined
  const { extras = [], promo: code = '', begin_now, ipv4, ...typed } = wish
  const pieces: Record<string, string> = {}
  for (const { extra, quantity } of extras) pieces[`extra.${extra}`] = String(quantity)
  const boxes = { begin_now: begin_now ? 'yes' : '', code, ipv4: ipv4 ?? '' }
  return { ...typed, ...boxes, ...pieces, email }
}

/** Returns the page of the provider for a purchase; null if there is none. Throws 503 `payment_provider_unavailable`. */
export const beginPurchase = (app: App, public_id: string): Promise<string | null> =>
  beginGuest(app, public_id)

/** The fields that an error of the order is about. */
export function faultsOf(error: unknown) {
  if (!(error instanceof HttpError)) throw error
  const [first] = error.errors
  const code = first?.code ?? 'invalid'
  if (first?.param === 'promo') return { code }
  if (code === 'ipv4_licensed' || code === 'invalid_ipv4') return { ipv4: code } as const
  if (code === 'terms_not_accepted' || code === 'terms_changed') return { terms: code } as const
  return { '': code }
}

/** The purchases of an account as its owner may have them. */
export async function exportedPurchases(app: App, user_id: string) {
  const purchases = await purchasesOf(app.db, user_id)
  return purchases.map(({ public_id, email, wish, total, amount, currency, state, created_at, paid_at }) => ({
    id: public_id,
    email,
    ...wish,
    total: toMoney(total, currency),
    paid: toMoney(amount, currency),
    state,
    created_at: created_at.toISOString(),
    paid_at: paid_at?.toISOString() ?? null,
  }))
}

// A direct debit may be paid, or said to be, weeks after its form. Checkouts are kept as long as paid purchases.
const KEPT_DAYS = { unpaid: 30, paid: 90 }

/** Forgets what was typed into forms: of unpaid ones after 30 days, of paid ones after 90. */
export const sweep = (app: App): Promise<void> =>
  transaction(app, 'system', async (tx) => {
    await sweepPurchases(tx, KEPT_DAYS)
    await sweepGuests(tx, KEPT_DAYS.paid)
  })
