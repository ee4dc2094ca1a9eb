import { amountMissing, post } from '#features/finance/server/finance.ts'
import type { VatDecision } from '#features/invoices/server/invoices.ts'
import type { ChosenExtras } from '#features/licences/contract.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { checkoutOf, insertCheckout, type CheckoutRow } from './checkout-queries.ts'
import { buyRuntime, newHost } from './purchase.ts'
import { recordCheckout } from './record-checkout.ts'

/** The order of somebody who had no account when they made it (decision 202). `total` in minor units. */
export type Bought = {
  plan: string
  plan_name: Translated
  name: string
  ipv4: string | null
  begin_now: boolean
  extras?: ChosenExtras | undefined
  promo?: string | undefined
  total: bigint
}

type Payment = { id: bigint; public_id: string; user_id: string; currency: string }

/** Stores the checkout that a payment is for; the event that books the money orders by it. One that comes too late orders nothing. */
export async function addBoughtCheckout(
  app: App,
  tx: Tx,
  { id: top_up_id, public_id, user_id, currency }: Payment,
  { total, plan, plan_name, name, ipv4, begin_now, extras, promo, isLate }: Bought & { isLate: boolean },
): Promise<void> {
  const params = {
    plan,
    plan_name,
    host_name: name,
    begin_now,
    ...(name === '' ? {} : { name }),
    ...(ipv4 === null ? {} : { ipv4 }),
    ...(extras && { extras }),
    ...(promo !== undefined && { promo }),
  }
  const row = { top_up_id, public_id, user_id, currency, purpose: 'order', params, total } as const
  await insertCheckout(tx, { ...row, host: null, person_id: null }, isLate ? 0 : 1)
  recordCheckout(app, tx, must(await checkoutOf(tx, user_id, public_id)))
}

/**
 * Does the order of an account at the total and with the VAT that were shown, and leaves it to the caller to undo all of it: so whatever would
 * refuse it refuses it before it is paid.
 */
export async function tryBought(
  app: App,
  tx: Tx,
  user_id: string,
  wish: Bought & { vat: VatDecision },
): Promise<void> {
  const description = { code: 'top_up', params: { provider: 'bank' } } as const
  await amountMissing(
    tx,
    user_id,
    (amount) => post(app, tx, { type: 'fill_balance', user_id, amount, provider: 'bank', description }),
    async () => {
      const { name, ipv4, plan: slug, begin_now, extras, promo, vat } = wish
      const expected_total = toMoney(wish.total, app.config.currency)
      const named = name === '' ? undefined : name
      const host = await newHost(app, tx, { user_id, name: named, ipv4, plan: slug })
      await buyRuntime(app, tx, host, { slug, expected_total, begin_now, extras, promo, vat })
    },
  )
}

/** The outcome of a checkout: its state, and its server where it has been ordered. */
export const boughtCheckout = (
  db: App['db'],
  user_id: string,
  public_id: string,
): Promise<CheckoutRow | undefined> => checkoutOf(db, user_id, public_id)
