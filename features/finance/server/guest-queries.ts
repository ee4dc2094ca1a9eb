import { sql } from 'kysely'
import type { ProviderName } from '#features/finance/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'

/** A payment of somebody without an account. `amount` is in minor units. */
export type GuestPayment = {
  public_id: string
  provider: ProviderName
  amount: bigint
  currency: string
  locale: Locale
  /** The address to which the provider's page leads back. */
  back: string
  redirect_url: string | null
  event_id: string | null
}

const columns = sql`public_id, provider, amount, currency, locale, back, redirect_url, event_id`

export async function insertGuest(
  tx: Tx,
  { public_id, provider, amount, currency, locale, back }: Omit<GuestPayment, 'redirect_url' | 'event_id'>,
): Promise<void> {
  await sql`insert into guest_payments (public_id, provider, amount, currency, locale, back)
    values (${public_id}, ${provider}, ${amount}, ${currency}, ${locale}, ${back})`.execute(tx)
}

export async function guestOf(db: App['db'], public_id: string): Promise<GuestPayment | undefined> {
  const { rows } = await sql<GuestPayment>`
    select ${columns} from guest_payments where public_id = ${public_id}`.execute(db)
  return rows[0]
}

/** Locks by one statement and reads by the next, which then sees what the transaction did that had the lock before. */
export async function lockGuest(tx: Tx, public_id: string): Promise<GuestPayment | undefined> {
  await sql`select from guest_payments where public_id = ${public_id} for update`.execute(tx)
  return guestOf(tx, public_id)
}

export async function setGuestRedirect(tx: Tx, public_id: string, redirect_url: string): Promise<void> {
  await sql`update guest_payments set redirect_url = ${redirect_url} where public_id = ${public_id}`.execute(
    tx,
  )
}

export async function noteGuestEvent(tx: Tx, public_id: string, event_id: string): Promise<void> {
  await sql`update guest_payments set event_id = ${event_id}
    where public_id = ${public_id} and event_id is null`.execute(tx)
}

/** Locks the payment that waits for its account by this event, and returns its public id; undefined if there is none. */
export async function lockGuestOfEvent(
  tx: Tx,
  { provider, event_id }: { provider: string; event_id: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ public_id: string }>`
    select public_id from guest_payments where provider = ${provider} and event_id = ${event_id} for update`.execute(
    tx,
  )
  return rows[0]?.public_id
}

export async function deleteGuest(tx: Tx, public_id: string): Promise<void> {
  await sql`delete from guest_payments where public_id = ${public_id}`.execute(tx)
}

/** Assigns the event of a payment to the top-up that it has become. */
export async function adoptGuestEvent(
  tx: Tx,
  { provider, event_id }: { provider: string; event_id: string },
  top_up_id: bigint,
): Promise<string | null> {
  const { rows } = await sql<{ payment_reference: string | null }>`
    update payment_events set top_up_id = ${top_up_id}
    where provider = ${provider} and event_id = ${event_id} and top_up_id is null
    returning payment_reference`.execute(tx)
  return rows[0]?.payment_reference ?? null
}

/** Deletes payments of so many days ago: none of them comes any more. */
export async function sweepGuests(tx: Tx, days: number): Promise<void> {
  await sql`delete from guest_payments where created_at < now() - make_interval(days => ${days})`.execute(tx)
}
