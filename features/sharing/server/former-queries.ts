import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { GrantRow } from './queries.ts'

type Former = { grantee_id: string; ended_at: Date }

// A token is known by the id of its grant, by which its name is found.
const holder = sql`case g.grantee_kind when 'token' then g.id else g.grantee_id end`

/**
 * The people and tokens that saw a host and no longer do, and whose access ended after a time (null: ever), the last one first. A person who has another
 * grant that opens the host is none of them.
 */
export async function formerHelpers(
  db: App['db'],
  { owner_id, host_id, since }: { owner_id: string; host_id: bigint; since: Date | null },
): Promise<Former[]> {
  const { rows } = await sql<Former>`
    select e.grantee_id, max(e.ended_at) as ended_at
    from (
      select ${holder} as grantee_id, g.ended_at from account_grants g
      where g.owner_id = ${owner_id}::uuid and g.state in ('revoked', 'left', 'expired') and g.accepted_at is not null
        and (g.all_hosts or exists (select from account_grant_hosts s where s.grant_id = g.id and s.host_id = ${host_id}))
      union all
      select ${holder}, n.ended_at from narrowed_grants n join account_grants g on g.id = n.grant_id
      where n.owner_id = ${owner_id}::uuid and (n.host_id is null or n.host_id = ${host_id})) e
    where e.grantee_id is not null and e.ended_at > coalesce(${since}::timestamptz, '-infinity')
      and not exists (
        select from account_grants a where a.owner_id = ${owner_id}::uuid and (a.grantee_id = e.grantee_id or a.id = e.grantee_id) and a.state = 'active'
          and (a.all_hosts or exists (select from account_grant_hosts s where s.grant_id = a.id and s.host_id = ${host_id})))
    group by e.grantee_id order by 2 desc, 1`.execute(db)
  return rows
}

/** Notes what an active grant opened until now; the rows that it still opens are left out when they are read. */
export async function noteNarrowed(
  tx: Tx,
  { id, owner_id, all_hosts }: Pick<GrantRow, 'id' | 'owner_id' | 'all_hosts'>,
): Promise<void> {
  if (all_hosts)
    await sql`insert into narrowed_grants (grant_id, owner_id) values (${id}::uuid, ${owner_id}::uuid)`.execute(
      tx,
    )
  else
    await sql`insert into narrowed_grants (grant_id, owner_id, host_id)
      select grant_id, owner_id, host_id from account_grant_hosts where grant_id = ${id}::uuid`.execute(tx)
}

/** Removes a host that goes to another account from all grants. Returns the ids of the grants that named it. */
export async function leaveGrants(tx: Tx, host_id: bigint): Promise<string[]> {
  const { rows } = await sql<{
    grant_id: string
  }>`delete from account_grant_hosts where host_id = ${host_id} returning grant_id`.execute(tx)
  return rows.map(({ grant_id }) => grant_id)
}

/** Deletes the grants of a deleted account, so that nothing names its address any more. */
export async function deleteGrantsWith(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from account_grants where owner_id = ${user_id} or grantee_id = ${user_id}`.execute(tx)
}

export async function expireInvitations(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update account_grants set state = 'expired', ended_at = now() where state = 'invited' and expires_at <= now()
    returning id`.execute(tx)
  await sql`delete from account_grants where ended_at < now() - interval '180 days'`.execute(tx)
  return rows.map(({ id }) => id)
}
