import { sql } from 'kysely'
import { batchedRows } from '#foundation/server/database/batched.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Side } from '#features/payers/rules.ts'

type Db = App['db']
export type State = 'offered' | 'active' | 'declined' | 'ended' | 'expired'

export type AgreementRow = {
  id: string
  owner_id: string | null
  payer_id: string | null
  asked_by: Side
  email: string | null
  all_hosts: boolean
  pays: 'renewals' | 'all'
  /** In minor units. */
  month_limit: bigint | null
  state: State
  /** True for an active agreement, and for an offer that waits for its answer. */
  is_open: boolean
  version: number
  created_at: Date
  expires_at: Date
  /** The number of servers that the agreement pays for, and the number of servers that wait for consent. */
  hosts: number
  requested_hosts: number
}

const open = sql`(a.state = 'active' or (a.state = 'offered' and a.expires_at > now()))`

/** The rows of agreements, as `a`. */
export const agreements = sql`select a.id, a.owner_id, a.payer_id, a.asked_by, a.email, a.all_hosts, a.pays, a.month_limit, a.state, ${open} as is_open, a.version,
    a.created_at, a.expires_at,
    (select count(*)::int from host_payers p where p.agreement_id = a.id) as hosts,
    (select count(*)::int from requested_hosts r where r.agreement_id = a.id) as requested_hosts
  from payment_agreements a`

const ownColumn = { owner: sql.ref('a.owner_id'), payer: sql.ref('a.payer_id') } as const

/**
 * Returns the open agreements in which a person is on this side, and the offers that ask one of these addresses to take this side,
 * the newest first.
 */
export async function agreementsOf(
  db: Db,
  { user_id, side, emails }: { user_id: string; side: Side; emails: readonly string[] },
): Promise<AgreementRow[]> {
  const { rows } = await sql<AgreementRow>`${agreements}
    where ${open} and (${ownColumn[side]} = ${user_id}::uuid
      or (a.state = 'offered' and a.asked_by <> ${side} and a.email in (select proven from unnest(${[...emails]}::text[]) proven)
        and coalesce(a.owner_id, a.payer_id) <> ${user_id}::uuid))
    order by a.created_at desc, a.id`.execute(db)
  return rows
}

export type HostState = 'paid' | 'requested'

/** Returns the ids of the agreements that pay for a server (`paid`), or wait for consent to pay for it (`requested`). */
export async function agreementsAbout(db: Db, host_id: bigint): Promise<Map<string, HostState>> {
  const { rows } = await sql<{ id: string; state: HostState }>`
    select agreement_id as id, 'paid' as state from host_payers where host_id = ${host_id}
    union select agreement_id, 'requested' from requested_hosts where host_id = ${host_id}`.execute(db)
  return new Map(rows.map(({ id, state }) => [id, state]))
}

export async function findAgreement(db: Db, id: string): Promise<AgreementRow | undefined> {
  const { rows } = await sql<AgreementRow>`${agreements} where a.id = ${id}::uuid`.execute(db)
  return rows[0]
}

export async function countOpen(tx: Tx, user_id: string, side: Side): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from payment_agreements a
    where ${ownColumn[side]} = ${user_id}::uuid and ${open}`.execute(tx)
  return rows[0]?.open ?? 0
}

type NewAgreement = Pick<AgreementRow, 'asked_by' | 'email' | 'all_hosts' | 'pays' | 'month_limit'> & {
  user_id: string
}

/** Returns the id; undefined if the address was asked already, or an agreement with its account is active. */
export async function insertAgreement(
  tx: Tx,
  { user_id, asked_by, ...terms }: NewAgreement,
): Promise<string | undefined> {
  if (await isActiveWith(tx, user_id, asked_by, terms.email)) return undefined
  await sql`update payment_agreements a set state = 'expired', ended_at = now()
    where a.asked_by = ${asked_by} and (${ownColumn[asked_by]}, a.email) = (${user_id}::uuid, ${terms.email})
      and a.state = 'offered' and a.expires_at <= now()`.execute(tx)
  const row = await tx
    .insertInto('payment_agreements')
    .values({ asked_by, ...terms, ...(asked_by === 'owner' ? { owner_id: user_id } : { payer_id: user_id }) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** True if an offer to this address was accepted, and the agreement is active. */
async function isActiveWith(tx: Tx, user_id: string, side: Side, email: string | null): Promise<boolean> {
  const { rows } =
    await sql`select from payment_agreements a where a.state = 'active' and a.asked_by = ${side}
    and (${ownColumn[side]}, a.email) = (${user_id}::uuid, ${email})`.execute(tx)
  return rows.length > 0
}

/** Activates an offer that the asked side (`user_id`) accepts. */
export async function activate(
  tx: Tx,
  { id, asked_by }: Pick<AgreementRow, 'id' | 'asked_by'>,
  user_id: string,
  month_limit: bigint | null,
): Promise<void> {
  const column = sql.ref(asked_by === 'owner' ? 'payer_id' : 'owner_id')
  await sql`update payment_agreements set state = 'active', ${column} = ${user_id}::uuid, month_limit = ${month_limit},
      accepted_at = now(), version = version + 1
    where id = ${id}::uuid`.execute(tx)
}

/** Changes the limit, and raises the version, so that a person who accepts must have seen the changed agreement. */
export async function change(tx: Tx, id: string, month_limit: bigint | null): Promise<void> {
  await sql`update payment_agreements set month_limit = ${month_limit}, version = version + 1 where id = ${id}::uuid`.execute(
    tx,
  )
}

export async function requestHosts(
  tx: Tx,
  { id, owner_id }: { id: string; owner_id: string },
  hosts: readonly bigint[],
): Promise<void> {
  await sql`insert into requested_hosts (agreement_id, user_id, host_id)
    select ${id}::uuid, ${owner_id}::uuid, host from unnest(${hosts.map(String)}::bigint[]) host
    on conflict do nothing`.execute(tx)
}

export async function dropRequests(tx: Tx, id: string, hosts?: readonly bigint[]): Promise<void> {
  await sql`delete from requested_hosts where agreement_id = ${id}::uuid
    and (${hosts === undefined} or host_id = any(${(hosts ?? []).map(String)}::bigint[]))`.execute(tx)
}

/** Makes an agreement pay for these servers, and returns their number. Servers that have a payer already keep it, and are not counted. */
export async function payHosts(
  tx: Tx,
  { id, owner_id }: { id: string; owner_id: string },
  hosts: readonly bigint[],
): Promise<number> {
  const { rows } = await sql`insert into host_payers (host_id, user_id, agreement_id)
    select host, ${owner_id}::uuid, ${id}::uuid from unnest(${hosts.map(String)}::bigint[]) host
    on conflict (host_id) do nothing returning host_id`.execute(tx)
  return rows.length
}

/** Ends the payment for these servers. Returns the servers that the agreement did pay for. */
export async function stopPaying(tx: Tx, id: string, hosts: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ host_id: bigint }>`delete from host_payers
    where agreement_id = ${id}::uuid and host_id = any(${hosts.map(String)}::bigint[]) returning host_id`.execute(
    tx,
  )
  return rows.map(({ host_id }) => host_id)
}

export type AgreementHost = { host_id: bigint; requested: boolean }

/** The servers that an agreement pays for, and the servers that wait for consent, ordered by id. */
export async function hostsOf(db: Db, id: string): Promise<AgreementHost[]> {
  const { rows } = await sql<AgreementHost>`
    select host_id, false as requested from host_payers where agreement_id = ${id}::uuid
    union all select host_id, true from requested_hosts where agreement_id = ${id}::uuid
    order by host_id`.execute(db)
  return rows
}

export type PayerRow = Pick<AgreementRow, 'pays' | 'month_limit'> & {
  host_id: bigint
  agreement_id: string
  payer_id: string
}

/** Lets the owner's transaction spend the payer's money for this server. */
export async function payFor(tx: Tx, { agreement_id, host_id }: PayerRow): Promise<void> {
  await sql`select pay_for(${agreement_id}::uuid, ${host_id})`.execute(tx)
}

/** The money that agreements have paid in this month (UTC), less what was given back, in minor units. */
export async function spentBy(db: Db, ids: readonly string[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ id: string; spent: bigint }>`
    select id, spent_by_agreement(id) as spent from unnest(${[...ids]}::uuid[]) id`.execute(db)
  return new Map(rows.map(({ id, spent }) => [id, spent]))
}

/** The servers of other accounts that this account pays for. Calls made at the same time ask together. */
export const hostsPaidBy = batchedRows(async (db: Db, payers: readonly string[]): Promise<bigint[][]> => {
  const { rows } = await sql<{ host_id: bigint; payer_id: string }>`
    select p.host_id, a.payer_id from host_payers p join payment_agreements a on a.id = p.agreement_id
    where a.payer_id = any(${arrayOf(payers, 'uuid')}) and a.state = 'active'`.execute(db)
  const paid = Map.groupBy(rows, ({ payer_id }) => payer_id)
  return payers.map((payer) => (paid.get(payer) ?? []).map(({ host_id }) => host_id))
})

/** The payers of these servers at this moment, without a lock. */
export async function payersOf(db: Db, hosts: readonly bigint[]): Promise<PayerRow[]> {
  const { rows } = await sql<PayerRow>`
    select p.host_id, p.agreement_id, a.payer_id, a.pays, a.month_limit
    from host_payers p join payment_agreements a on a.id = p.agreement_id
    where p.host_id = any(${hosts.map(String)}::bigint[])`.execute(db)
  return rows
}

/** The payer of a server that an account adds: the payer of its agreement about all servers. */
export async function payerOfNew(db: Db, owner_id: string): Promise<Omit<PayerRow, 'host_id'> | undefined> {
  const { rows } = await sql<Omit<PayerRow, 'host_id'>>`
    select a.id as agreement_id, a.payer_id, a.pays, a.month_limit from payment_agreements a
    where a.owner_id = ${owner_id}::uuid and a.state = 'active' and a.all_hosts`.execute(db)
  return rows[0]
}

/** Lets the owner's transaction credit a payment of the payer. From then on the transaction acts for the system. */
export async function beginCredit(tx: Tx, transaction_id: string): Promise<void> {
  await sql`select begin_credit(${transaction_id}::uuid)`.execute(tx)
}

/** The servers in this list that have a payer. */
export async function paidAmong(db: Db, hosts: readonly bigint[]): Promise<bigint[]> {
  if (hosts.length === 0) return []
  const { rows } = await sql<{ host_id: bigint }>`
    select host_id from host_payers where host_id = any(${arrayOf(hosts.map(String), 'bigint')})`.execute(db)
  return rows.map(({ host_id }) => host_id)
}
