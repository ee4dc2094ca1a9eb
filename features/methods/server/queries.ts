import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { SavedDetails } from '#features/finance/contract.ts'
import type { MethodKind, ProviderName } from '#features/finance/rules.ts'
import type { PauseReason } from '#features/methods/rules.ts'

type Db = App['db']

export type MethodRow = {
  id: string
  public_id: string
  user_id: string
  provider: ProviderName
  kind: MethodKind
  provider_ref_sealed: string | null
  brand: string
  last4: string
  expires: string | null
  mandate_ref: string | null
  is_default: boolean
  state: 'pending' | 'active' | 'paused' | 'removed'
  reason: PauseReason | ''
  redirect_url: string | null
  created_at: Date
}

const rows = sql`
  select m.id, m.public_id, m.user_id, m.provider, m.kind, m.provider_ref_sealed, m.brand, m.last4,
    to_char(m.expires, 'YYYY-MM-DD') as expires, m.mandate_ref, m.is_default, m.state, m.reason, m.redirect_url, m.created_at
  from payment_methods m`

/** The methods that a customer has saved, the default one first. */
export async function methodsOf(db: Db, user_id: string): Promise<MethodRow[]> {
  const { rows: found } = await sql<MethodRow>`${rows}
    where m.user_id = ${user_id} and m.state in ('active', 'paused')
    order by m.is_default desc, m.created_at desc, m.id`.execute(db)
  return found
}

/** All methods of a customer, also those that were begun. */
export async function allMethodsOf(tx: Tx, user_id: string): Promise<MethodRow[]> {
  const { rows: found } = await sql<MethodRow>`${rows}
    where m.user_id = ${user_id} and m.state <> 'removed' order by m.id`.execute(tx)
  return found
}

/** Returns a customer's method in whatever state; undefined if there is none with this public id. */
export async function methodOf(db: Db, user_id: string, public_id: string): Promise<MethodRow | undefined> {
  const { rows: found } = await sql<MethodRow>`${rows}
    where m.user_id = ${user_id} and m.public_id = ${public_id}`.execute(db)
  return found[0]
}

/** The method of any customer, for events of providers, which name no customer. */
export async function methodCalled(db: Db, public_id: string): Promise<MethodRow | undefined> {
  const { rows: found } = await sql<MethodRow>`${rows} where m.public_id = ${public_id}`.execute(db)
  return found[0]
}

export async function methodWithId(db: Db, id: string): Promise<MethodRow | undefined> {
  const { rows: found } = await sql<MethodRow>`${rows} where m.id = ${id}`.execute(db)
  return found[0]
}

/** Returns the methods that a provider knows by one of these digests of its own id. */
export async function methodsByReference(
  db: Db,
  provider: ProviderName,
  digests: readonly Buffer[],
): Promise<MethodRow[]> {
  const { rows: found } = await sql<MethodRow>`${rows}
    where m.provider = ${provider} and m.provider_ref_digest in (${sql.join(digests)})`.execute(db)
  return found
}

/** Locks a method, and reads it as whoever held it before has left it. */
export async function lockMethod(tx: Tx, id: string): Promise<MethodRow | undefined> {
  await sql`select from payment_methods m where m.id = ${id} for no key update`.execute(tx)
  return methodWithId(tx, id)
}

/** Counts the methods of a customer that are saved, and those that were begun. */
export async function countMethods(tx: Tx, user_id: string): Promise<{ saved: number; begun: number }> {
  const { rows: found } = await sql<{ saved: number; begun: number }>`
    select count(*) filter (where state in ('active', 'paused'))::int as saved, count(*) filter (where state = 'pending')::int as begun
    from payment_methods where user_id = ${user_id}`.execute(tx)
  return found[0] ?? { saved: 0, begun: 0 }
}

type NewMethod = Pick<MethodRow, 'public_id' | 'user_id' | 'provider' | 'kind'>

export async function insertMethod(tx: Tx, row: NewMethod): Promise<void> {
  await tx.insertInto('payment_methods').values(row).execute()
}

export async function setPage(tx: Tx, id: string, redirect_url: string): Promise<void> {
  await tx.updateTable('payment_methods').set({ redirect_url }).where('id', '=', id).execute()
}

type Saved = Omit<SavedDetails, 'provider_ref' | 'customer_ref' | 'fingerprint'> & {
  provider_ref_sealed: string
  provider_ref_digest: Buffer
}

/** Writes the details of a method that a provider told; a method that was begun is active from now on. */
export async function setDetails(tx: Tx, id: string, saved: Saved): Promise<void> {
  await sql`update payment_methods set kind = ${saved.kind}, brand = ${saved.brand}, last4 = ${saved.last4},
      warned_days = case when expires is distinct from ${saved.expires}::date then null else warned_days end,
      expires = ${saved.expires}::date, mandate_ref = ${saved.mandate_ref}, provider_ref_sealed = ${saved.provider_ref_sealed},
      provider_ref_digest = ${saved.provider_ref_digest}, saved_at = coalesce(saved_at, now()), redirect_url = null,
      state = case when state = 'pending' then 'active' else state end
    where id = ${id}`.execute(tx)
}

/** Makes an active method the only default one of its customer. The caller has locked the customer's methods by name. */
export async function setDefault(tx: Tx, { id, user_id }: Pick<MethodRow, 'id' | 'user_id'>): Promise<void> {
  await sql`update payment_methods set is_default = false where user_id = ${user_id} and is_default and id <> ${id}`.execute(
    tx,
  )
  await sql`update payment_methods set is_default = true where id = ${id} and state = 'active'`.execute(tx)
}

/** Takes a method that was paused into use again. */
export async function resumeMethod(tx: Tx, id: string): Promise<void> {
  await sql`update payment_methods set state = 'active', reason = '' where id = ${id} and state = 'paused'`.execute(
    tx,
  )
}

export async function pauseMethod(tx: Tx, id: string, reason: PauseReason): Promise<void> {
  await tx
    .updateTable('payment_methods')
    .set({ state: 'paused', reason, is_default: false })
    .where('id', '=', id)
    .execute()
}

/** Takes a method from its customer; what names it to people is erased at once. */
export async function takeMethod(tx: Tx, id: string): Promise<void> {
  const nothing = { brand: '', last4: '', expires: null, mandate_ref: null, redirect_url: null, reason: '' }
  await tx
    .updateTable('payment_methods')
    .set({ state: 'removed', is_default: false, ...nothing })
    .where('id', '=', id)
    .execute()
}

/** The provider has forgotten it. The row stays for some days, for an event that comes late. */
export async function forgetReference(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('payment_methods')
    .set({ provider_ref_sealed: null, provider_ref_digest: null })
    .where('id', '=', id)
    .execute()
}

/** Deletes methods that were begun and never saved, and those that are removed and forgotten. Returns how many. */
export async function sweepMethods(tx: Tx, days: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from payment_methods where id in (
      select id from payment_methods where state in ('pending', 'removed') and provider_ref_sealed is null
        and created_at < now() - ${days} * interval '1 day'
      order by created_at limit ${limit} for update skip locked)`.execute(tx)
  return Number(numAffectedRows)
}

/** Returns methods that another key than `boxId` sealed; their rows are locked. */
export async function sealedByOtherKeys(
  tx: Tx,
  boxId: string,
  limit: number,
): Promise<{ id: string; public_id: string; provider_ref_sealed: string }[]> {
  const { rows: found } = await sql<{ id: string; public_id: string; provider_ref_sealed: string }>`
    select id, public_id, provider_ref_sealed from payment_methods where provider_ref_sealed not like ${`${boxId}.%`}
    order by id limit ${limit} for update`.execute(tx)
  return found
}

export async function reseal(
  tx: Tx,
  id: string,
  { provider_ref_sealed, provider_ref_digest }: Pick<Saved, 'provider_ref_sealed' | 'provider_ref_digest'>,
): Promise<void> {
  await tx
    .updateTable('payment_methods')
    .set({ provider_ref_sealed, provider_ref_digest })
    .where('id', '=', id)
    .execute()
}

export type EndingRow = Pick<MethodRow, 'user_id' | 'kind' | 'brand' | 'last4'> & { expires: string }

/** Notes for methods that end within so many days that their customers are told, each once, and returns at most `limit` of them. */
export async function takeWarned(tx: Tx, days: number, limit: number): Promise<EndingRow[]> {
  const { rows: found } = await sql<EndingRow>`
    update payment_methods m set warned_days = ${days}
    where id in (
      select id from payment_methods
      where state = 'active' and expires between current_date and current_date + ${days}::int
        and coalesce(warned_days > ${days}, true)
      order by expires limit ${limit} for update skip locked)
    returning m.user_id, m.kind, m.brand, m.last4, to_char(m.expires, 'YYYY-MM-DD') as expires`.execute(tx)
  return found
}
