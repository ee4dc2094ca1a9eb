import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Claim } from './address-queries.ts'

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
