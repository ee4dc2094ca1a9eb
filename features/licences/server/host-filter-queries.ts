import { sql, type RawBuilder } from 'kysely'

// Statements for the ids of hosts, as parts of lists of hosts.

/** The hosts whose present paid time, or trial, is of this plan. */
export const hostsOfPlan = (slug: string): RawBuilder<{ host_id: bigint }> =>
  sql`select p.host_id from paid_periods p where p.plan = ${slug} and p.starts_at <= now() and p.ends_at > now()`

export const suspendedHosts: RawBuilder<{ host_id: bigint }> =
  sql`select s.host_id from suspensions s where s.lifted_at is null`
