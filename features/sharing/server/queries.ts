import { sql } from 'kysely'
import type { HelperRole } from '#foundation/capability.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { limits, type LimitName, type UseName } from '#features/sharing/limits.ts'

type Db = App['db']
type Limit = (typeof limits)[number]
type State = 'invited' | 'active' | 'declined' | 'revoked' | 'left' | 'expired'

export type GrantRow = {
  id: string
  owner_id: string
  email: string
  grantee_id: string | null
  role: HelperRole
  all_hosts: boolean
  /** The public ids of its servers, the deleted ones left out. */
  host_ids: string[]
  needs_second_factor: boolean
  may_pass_on: boolean
  state: State
  /** True for an active grant, and for an invitation that waits for its answer. */
  is_open: boolean
  version: number
  created_at: Date
  expires_at: Date
} & Record<LimitName, bigint | null> &
  Record<UseName, bigint>

const first = (span: Limit['span']) => sql`date_trunc(${span}::text, now() at time zone 'UTC')::date`

const open = sql`(g.state = 'active' or (g.state = 'invited' and g.expires_at > now()))`

export const grants = sql`select g.id, g.owner_id, g.email, g.grantee_id, g.role, g.all_hosts, g.needs_second_factor, g.may_pass_on, g.state, ${open} as is_open, g.version,
    ${sql.join(
      limits.map(
        ({
          name,
          used,
          table,
          span,
        }) => sql`${sql.ref(`g.${name}`)}, coalesce((select s.spent from ${sql.table(table)} s
          where s.grant_id = g.id and s.${sql.ref(span)} = ${first(span)}), 0) as ${sql.ref(used)}`,
      ),
    )},
    g.created_at, g.expires_at, case when g.all_hosts then '{}'::text[] else (
      select coalesce(array_agg(s.public_id order by s.public_id), '{}') from hosts_of_grant(g.id) s)
    end as host_ids
  from account_grants g`

/** Open invitations and active grants of an owner, the newest first. */
export async function grantsOf(db: Db, owner_id: string): Promise<GrantRow[]> {
  const { rows } = await sql<GrantRow>`${grants}
    where g.owner_id = ${owner_id} and g.grantee_kind = 'person' and ${open} order by g.created_at desc, g.id`.execute(
    db,
  )
  return rows
}

/** The grants that a person received: active ones, and invitations to these addresses. */
export async function grantsTo(db: Db, user_id: string, emails: readonly string[]): Promise<GrantRow[]> {
  const { rows } = await sql<GrantRow>`${grants}
    where ${open} and ((g.state = 'active' and g.grantee_id = ${user_id})
      or (g.state = 'invited' and g.email in (select proven from unnest(${[...emails]}::text[]) proven) and g.owner_id <> ${user_id}))
    order by g.created_at desc, g.id`.execute(db)
  return rows
}

/** Locks a grant until the transaction ends, and reads it by a second statement, because the first may have waited for another change. */
export async function lockGrant(tx: Tx, id: string): Promise<GrantRow | undefined> {
  await sql`select from account_grants where id = ${id}::uuid and grantee_kind = 'person' for update`.execute(
    tx,
  )
  const { rows } =
    await sql<GrantRow>`${grants} where g.id = ${id}::uuid and g.grantee_kind = 'person'`.execute(tx)
  return rows[0]
}

export async function countGiven(tx: Tx, owner_id: string): Promise<number> {
  return (await grantsOf(tx, owner_id)).length
}

export type Terms = Pick<GrantRow, 'role' | 'all_hosts' | 'needs_second_factor' | 'may_pass_on' | LimitName>

/** Returns the id of the new grant; undefined if the owner has invited the address already, or the address helps the owner already. */
export async function insertGrant(
  tx: Tx,
  grant: Terms & Pick<GrantRow, 'owner_id' | 'email'>,
): Promise<string | undefined> {
  await sql`update account_grants set state = 'expired', ended_at = now()
    where (owner_id, email) = (${grant.owner_id}::uuid, ${grant.email}) and state = 'invited' and expires_at <= now()`.execute(
    tx,
  )
  const row = await tx
    .insertInto('account_grants')
    .values(grant)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function setTerms(
  tx: Tx,
  { id, owner_id }: Pick<GrantRow, 'id' | 'owner_id'>,
  terms: Terms,
  hosts: readonly bigint[],
): Promise<void> {
  await tx
    .updateTable('account_grants')
    .set({ ...terms, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('account_grant_hosts').where('grant_id', '=', id).execute()
  await addHosts(tx, { id, owner_id }, hosts)
}

/**
 * Adds an amount to what has been used of a limit, and locks its row until the transaction ends. Returns false, and writes nothing, if the
 * limit would be exceeded.
 */
export async function addSpending(
  tx: Tx,
  grant_id: string,
  { name, table, span }: Limit,
  amount: bigint,
): Promise<boolean> {
  const most = sql.ref(`g.${name}`)
  const { rows } = await sql`
    insert into ${sql.table(table)} as s (grant_id, owner_id, ${sql.ref(span)}, spent)
    select g.id, g.owner_id, ${first(span)}, ${amount} from account_grants g
    where g.id = ${grant_id}::uuid and (${most} is null or ${amount} <= ${most})
    on conflict (grant_id, ${sql.ref(span)}) do update set spent = s.spent + excluded.spent
    where s.spent + excluded.spent <= coalesce(
      (select ${most} from account_grants g where g.id = s.grant_id), 9223372036854775807)
    returning s.spent`.execute(tx)
  return rows.length > 0
}

/** Takes an amount off what was used of a limit at a time that has passed. */
export async function takeOffSpending(
  tx: Tx,
  grant_id: string,
  { table, span }: Limit,
  { amount, at }: { amount: bigint; at: Date },
): Promise<void> {
  await sql`
    update ${sql.table(table)} set spent = greatest(spent - ${amount}, 0)
    where grant_id = ${grant_id}::uuid and ${sql.ref(span)} = date_trunc(${span}::text, ${at}::timestamptz at time zone 'UTC')::date`.execute(
    tx,
  )
}

export async function addHosts(
  tx: Tx,
  { id, owner_id }: Pick<GrantRow, 'id' | 'owner_id'>,
  hosts: readonly bigint[],
): Promise<void> {
  await sql`insert into account_grant_hosts (grant_id, owner_id, host_id)
    select ${id}::uuid, ${owner_id}::uuid, host from unnest(${hosts.map(String)}::bigint[]) host`.execute(tx)
}

export async function activate(tx: Tx, id: string, grantee_id: string): Promise<void> {
  await sql`update account_grants set state = 'active', grantee_id = ${grantee_id}::uuid, accepted_at = now(), version = version + 1
    where id = ${id}::uuid`.execute(tx)
}

export async function end(tx: Tx, id: string, state: Exclude<State, 'invited' | 'active'>): Promise<void> {
  await sql`update account_grants set state = ${state}, ended_at = now() where id = ${id}::uuid`.execute(tx)
}

/** Locks all grants, given and received, of an account that is being deleted. Returns the invitations and the active grants. */
export async function lockGrantsWith(tx: Tx, user_id: string): Promise<GrantRow[]> {
  await sql`select from account_grants where owner_id = ${user_id} or grantee_id = ${user_id} order by id for update`.execute(
    tx,
  )
  const { rows } = await sql<GrantRow>`${grants}
    where (g.owner_id = ${user_id} or g.grantee_id = ${user_id}) and g.grantee_kind = 'person' and g.state in ('invited', 'active') order by g.id`.execute(
    tx,
  )
  return rows
}
