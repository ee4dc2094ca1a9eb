import { sql } from 'kysely'
import { batchedRows } from '#foundation/server/database/batched.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'

/** A claim for a host that has an address of at least one family; an address may be a network. */
type Claim = {
  user_id: string
  host_id: bigint
  ipv4: string | null
  ipv6: string | null
  starts_at: Date
  ends_at: Date
}

/**
 * Claims the addresses of a host for a period. Throws 409 `ipv4_licensed`@ipv4 or `ipv6_licensed`@ipv6, with nothing written, if another
 * licence has one of them in the period. The constraints decide, after waiting for any transaction that is claiming the same address.
 */
export async function claimAddresses(tx: Tx, claim: Claim): Promise<void> {
  const taken = await insertClaim(tx, claim)
  if (taken !== null) throw new HttpError(409, [{ code: `${taken}_licensed`, param: taken }])
}

/** Claims the addresses, and returns the family whose address another licence has; null if all are claimed. */
export const insertClaim = batchedRows(async (tx: Tx, claims: readonly Claim[]): Promise<Taken[]> => {
  const { rows } = await sql<{ host_id: bigint; taken: Taken }>`
    select host_id, claim_addresses(user_id, host_id, ipv4, ipv6, starts_at, ends_at) as taken
    from unnest(${claims.map(({ user_id }) => user_id)}::uuid[], ${claims.map(({ host_id }) => String(host_id))}::bigint[],
      ${claims.map(({ ipv4 }) => ipv4)}::inet[], ${claims.map(({ ipv6 }) => ipv6)}::inet[], ${claims.map(({ starts_at }) => starts_at)}::timestamptz[],
      ${claims.map(({ ends_at }) => ends_at)}::timestamptz[]) as claim (user_id, host_id, ipv4, ipv6, starts_at, ends_at)`.execute(
    tx,
  )
  const taken = new Map(rows.map((row) => [row.host_id, row.taken]))
  return claims.map(({ host_id }) => taken.get(host_id) ?? null)
})

type Taken = 'ipv4' | 'ipv6' | null

/** Releases a host's claims from `from` on. */
export async function cutClaims(tx: Tx, host_id: bigint, from: Date): Promise<void> {
  await sql`
    with gone as (delete from licensed_addresses where host_id = ${host_id} and starts_at >= ${from})
    update licensed_addresses set ends_at = ${from} where host_id = ${host_id} and starts_at < ${from} and ends_at > ${from}`.execute(
    tx,
  )
}

/**
 * Returns, by host, the address family that `insertClaim` would refuse now, because another licence or an earlier claim in the list has
 * the address; null if it would refuse none.
 */
export async function clashingClaims(
  db: App['db'],
  claims: readonly Omit<Claim, 'user_id'>[],
): Promise<Map<bigint, Taken>> {
  const { rows } = await sql<{ host_id: bigint; taken: Taken }>`
    with wanted as (
      select host_id, ipv4, ipv6, tstzrange(starts_at, ends_at) as time, place
      from unnest(${claims.map(({ host_id }) => String(host_id))}::bigint[], ${claims.map(({ ipv4 }) => ipv4)}::inet[],
        ${claims.map(({ ipv6 }) => ipv6)}::inet[], ${claims.map(({ starts_at }) => starts_at)}::timestamptz[],
        ${claims.map(({ ends_at }) => ends_at)}::timestamptz[])
        with ordinality as claim (host_id, ipv4, ipv6, starts_at, ends_at, place))
    select host_id, case
      when exists (select from licensed_addresses l where l.ipv4 && w.ipv4 and tstzrange(l.starts_at, l.ends_at) && w.time)
        or exists (select from wanted o where o.place < w.place and o.ipv4 = w.ipv4 and o.time && w.time) then 'ipv4'
      when exists (select from licensed_addresses l where l.ipv6 && w.ipv6 and tstzrange(l.starts_at, l.ends_at) && w.time)
        or exists (select from wanted o where o.place < w.place and o.ipv6 && w.ipv6 and o.time && w.time) then 'ipv6' end as taken
    from wanted w`.execute(db)
  return new Map(rows.map(({ host_id, taken }) => [host_id, taken]))
}

/** Returns the servers whose address another licence has, each with its code of refusal. */
export const refusedFor = <Server extends { host: { id: bigint } }>(
  servers: readonly Server[],
  taken: ReadonlyMap<bigint, Taken>,
): (Server & { code: 'ipv4_licensed' | 'ipv6_licensed' })[] =>
  servers.flatMap((server) => {
    const family = taken.get(server.host.id)
    return family ? [{ ...server, code: `${family}_licensed` as const }] : []
  })

type Trial = {
  user_id: string
  edition: string
  order_id: string
  host_id: bigint
  starts_at: Date
  ends_at: Date
}

type Addressed = Pick<Claim, 'user_id' | 'host_id' | 'ipv4' | 'ipv6'>

/** Returns false, with nothing written, if the customer has tried the edition. Waits for a trial that begins at the same time. */
export async function insertTrial(tx: Tx, trial: Trial): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('trials')
    .values(trial)
    .onConflict((conflict) => conflict.columns(['user_id', 'edition']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Records the addresses at which a host is tried. Returns the family of an address at which another host was tried, or null. Waits for
 * a trial that begins at such an address at the same time. For an IPv6 address its /64 counts: the holder of one address has the whole /64.
 */
async function insertTrialAddresses(
  tx: Tx,
  { user_id, host_id, ipv4, ipv6 }: Addressed,
): Promise<'ipv4' | 'ipv6' | null> {
  const wanted = sql`(select address from (values (${ipv4}::inet), (network(set_masklen(${ipv6}::inet, 64))::inet)) as given (address)
    where address is not null)`
  await sql`
    insert into trial_addresses (address, host_id, user_id) select address, ${host_id}, ${user_id} from ${wanted} as given
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ family: number }>`
    select family(address) as family from trial_addresses where address in ${wanted} and host_id <> ${host_id}
    order by 1`.execute(tx)
  if (!rows[0]) return null
  return rows[0].family === 4 ? 'ipv4' : 'ipv6'
}

/** True if the runtime of a host is a trial at a time. */
export async function isTrying(tx: Tx, host_id: bigint, at: Date): Promise<boolean> {
  const { rows } = await sql`
    select from trials t join paid_periods p on p.order_id = t.order_id
    where t.host_id = ${host_id} and p.starts_at <= ${at} and p.ends_at > ${at}`.execute(tx)
  return rows.length > 0
}

/** The editions that a customer has tried. */
export async function triedEditions(db: App['db'], user_id: string): Promise<string[]> {
  const rows = await db.selectFrom('trials').select('edition').where('user_id', '=', user_id).execute()
  return rows.map(({ edition }) => edition)
}

/** Records for good that a host is tried at its addresses. Throws 409 `trial_used`@ipv4 or @ipv6 if another host was tried there. */
export async function claimTrialAddresses(tx: Tx, host: Addressed): Promise<void> {
  const taken = await insertTrialAddresses(tx, host)
  if (taken !== null) throw new HttpError(409, [{ code: 'trial_used', param: taken }])
}
