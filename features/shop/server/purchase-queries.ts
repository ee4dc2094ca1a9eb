import { sql } from 'kysely'
import type { BuyerFields } from '#features/invoices/rules.ts'
import type { ChosenExtras } from '#features/licences/contract.ts'
import type { Locale, Translated } from '#foundation/locale.ts'
import type { Origin } from '#foundation/server/audit/audit.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** All that was typed into the form of a purchase, and from where it came. */
export type PurchaseWish = Omit<BuyerFields, 'vat_id'> & {
  plan: string
  plan_name: Translated
  /** The name and the address of the server; the address is null for a program. */
  server: string
  ipv4: string | null
  /** The version of the terms that was accepted. */
  terms?: string
  begin_now: boolean
  extras?: ChosenExtras
  /** The promo code that lowers the price. */
  promo?: string
  /** The country of the network. */
  network: string | null
  /** The request that sent the form, as evidence that the terms were accepted. */
  origin: Origin
}

export type PurchaseRow = {
  public_id: string
  email: string
  locale: Locale
  wish: PurchaseWish
  /** The price that was shown, and the amount that was asked for, in minor units. */
  total: bigint
  amount: bigint
  currency: string
  state: 'open' | 'waits' | 'done'
  user_id: string | null
  created_at: Date
  paid_at: Date | null
  /** The time at which its payment failed; null if it did not, or was not heard of yet. */
  failed_at: Date | null
  /** True if its time was over before it was paid, by the database's clock. */
  is_over: boolean
  /** True once the page that waits for the payment has stopped to ask for it: an hour after the form. */
  is_left: boolean
}

const columns = sql`p.public_id, p.email, p.locale, p.wish, p.total, p.amount, p.currency, p.state, p.user_id, p.created_at, p.paid_at, p.failed_at,
  p.expires_at <= coalesce(p.paid_at, now()) as is_over, p.created_at < now() - interval '1 hour' as is_left`

type NewPurchase = Pick<
  PurchaseRow,
  'public_id' | 'email' | 'locale' | 'wish' | 'total' | 'amount' | 'currency'
> & { form_hash: Buffer }

export async function insertPurchase(tx: Tx, row: NewPurchase, hours: number): Promise<void> {
  await sql`insert into purchases (public_id, form_hash, email, locale, wish, total, amount, currency, expires_at)
    values (${row.public_id}, ${row.form_hash}, ${row.email}, ${row.locale}, ${JSON.stringify(row.wish)}::jsonb, ${row.total}, ${row.amount},
      ${row.currency}, now() + make_interval(hours => ${hours}))`.execute(tx)
}

/** Returns the open purchase that the very same form has made before. */
export async function purchaseByForm(tx: Tx, form_hash: Buffer): Promise<PurchaseRow | undefined> {
  const { rows } = await sql<PurchaseRow>`
    select ${columns} from purchases p where p.form_hash = ${form_hash}`.execute(tx)
  return rows[0]
}

export async function purchaseOf(db: App['db'], public_id: string): Promise<PurchaseRow | undefined> {
  const { rows } = await sql<PurchaseRow>`
    select ${columns} from purchases p where p.public_id = ${public_id}`.execute(db)
  return rows[0]
}

/** Returns the purchase that waits for the owner of this key. */
export async function purchaseByKey(db: App['db'], key_hash: Buffer): Promise<PurchaseRow | undefined> {
  const { rows } = await sql<PurchaseRow>`
    select ${columns} from purchases p where p.key_hash = ${key_hash}`.execute(db)
  return rows[0]
}

/** Locks by one statement and reads by the next, which then sees what the transaction did that had the lock before. */
export async function lockPurchase(tx: Tx, public_id: string): Promise<PurchaseRow | undefined> {
  await sql`select from purchases where public_id = ${public_id} for update`.execute(tx)
  return purchaseOf(tx, public_id)
}

type Given = { state: 'waits' | 'done'; user_id: string; key_hash: Buffer | null }

export async function givePurchase(
  tx: Tx,
  public_id: string,
  { state, user_id, key_hash }: Given,
): Promise<void> {
  await sql`update purchases set state = ${state}, user_id = ${user_id}, key_hash = ${key_hash},
    paid_at = coalesce(paid_at, now()) where public_id = ${public_id}`.execute(tx)
}

/** Notes that the payment of an open purchase has failed. Returns the purchase if that is news. */
export async function failPurchase(tx: Tx, public_id: string): Promise<PurchaseRow | undefined> {
  const { rows } = await sql<PurchaseRow>`update purchases p set failed_at = now()
    where p.public_id = ${public_id} and p.state = 'open' and p.failed_at is null returning ${columns}`.execute(
    tx,
  )
  return rows[0]
}

/** The purchases of an account, the newest first. */
export async function purchasesOf(db: App['db'], user_id: string): Promise<PurchaseRow[]> {
  const { rows } = await sql<PurchaseRow>`
    select ${columns} from purchases p where p.user_id = ${user_id} order by p.created_at desc`.execute(db)
  return rows
}

export async function deletePurchasesOf(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from purchases where user_id = ${user_id}`.execute(tx)
}

/** Deletes purchases that nobody paid within some days, and paid ones later: what was typed in them is needed no more. */
export async function sweepPurchases(tx: Tx, days: { unpaid: number; paid: number }): Promise<void> {
  await sql`delete from purchases where created_at < now() - make_interval(days => ${days.unpaid})
    and (state = 'open' or created_at < now() - make_interval(days => ${days.paid}))`.execute(tx)
}
