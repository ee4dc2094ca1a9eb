import { deleteGuest, giveGuestPayment } from '#features/finance/server/finance.ts'
import { insertResetKey } from '#features/auth/server/auth.ts'
import {
  accountInUse,
  dropUnusedClaims,
  findAccountByProvenEmail,
  lockAddress,
} from '#features/profile/server/profile.ts'
import { addBoughtCheckout, boughtCheckout } from '#features/sales/server/sales.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { TryAgain } from '#foundation/server/database/try-again.ts'
import { hashToken, randomToken } from '#foundation/server/keys.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { keepUser } from '#foundation/server/session/session.ts'
import { accountOpened, purchaseWaits } from './mails.ts'
import { openAccount } from './open-account.ts'
import { givePurchase, lockPurchase, purchaseOf, type PurchaseRow } from './purchase-queries.ts'

/**
 * Makes the account of a purchase that was paid, with its payment and its order, which the booking then does, all in the transaction of the
 * signed event. If the address has an account, nothing is put into it: its owner is asked by mail. The attack is money of a stolen card, or a
 * server, that a stranger puts into somebody's account.
 */
export async function arrive(app: App, tx: Tx, { public_id }: { public_id: string }): Promise<void> {
  const named = await purchaseOf(tx, public_id)
  if (!named) return
  await lockAddress(tx, named.email)
  const purchase = await lockPurchase(tx, public_id)
  if (purchase?.state !== 'open') return
  const { email } = purchase
  const owner = (await findAccountByProvenEmail(tx, email)) ?? (await accountInUse(tx, email))
  if (owner) {
    // Its account was deleted just now, and the address is free.
    if (!(await keepUser(tx, owner.user_id))?.is_active) throw new TryAgain()
    return askOwner(app, tx, purchase, owner.user_id)
  }
  await dropUnusedClaims(app, tx, email)
  const user_id = await openAccount(app, tx, purchase)
  const key = randomToken()
  await insertResetKey(app, tx, { token_hash: hashToken(key), user_id })
  await givePurchase(tx, public_id, { state: 'done', user_id, key_hash: null })
  await order(app, tx, purchase, user_id)
  await deleteGuest(tx, public_id)
  opened.set(tx, { public_id, key })
}

/** The account that a transaction has made, with the key of its mail, which is queued once the order is done or refused. */
const opened = new WeakMap<Tx, { public_id: string; key: string }>()

async function askOwner(app: App, tx: Tx, purchase: PurchaseRow, user_id: string): Promise<void> {
  const { public_id, amount, currency, wish } = purchase
  const key = randomToken()
  await givePurchase(tx, public_id, { state: 'waits', user_id, key_hash: hashToken(key) })
  const values = { key, plan: wish.plan_name, paid: toMoney(amount, currency) }
  await mailTo(app, tx, user_id, purchaseWaits, values)
}

/** Makes the payment of a purchase that of an account, with the order that it is for. */
export async function order(app: App, tx: Tx, purchase: PurchaseRow, user_id: string): Promise<void> {
  const { public_id, wish, total, is_over: isLate } = purchase
  const payment = await giveGuestPayment(tx, public_id, user_id)
  const { plan, plan_name, server: name, ipv4, begin_now, extras, promo } = wish
  const bought = { plan, plan_name, name, ipv4, begin_now, extras, promo, total, isLate }
  await addBoughtCheckout(app, tx, payment, bought)
}

/** Mails the link that opens a new account, after its order was done or refused: this reaction comes after that of sales. */
export async function tellBuyer(
  app: App,
  tx: Tx,
  { user_id, top_up }: { user_id: string; top_up: string },
): Promise<void> {
  const made = opened.get(tx)
  if (made?.public_id !== top_up) return
  const checkout = await boughtCheckout(tx, user_id, top_up)
  if (!checkout) return
  const { params, state } = checkout
  const values = { key: made.key, plan: params.plan_name ?? null, ordered: state === 'done' }
  await mailTo(app, tx, user_id, accountOpened, values)
}
