import { sql, type Selectable } from 'kysely'
import type pg from 'pg'
import type { Locale } from '#foundation/locale.ts'
import { inOrder, type Role } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import type { Users } from '#foundation/server/database/tables.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Factor } from '#foundation/session-contract.ts'
import type { AccountAccess } from './access-queries.ts'

export async function createUser(
  tx: Tx,
  user: { email: string; locale: Locale; is_example?: boolean },
): Promise<string> {
  const { id } = await tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Makes the account of a robot, with an address that no mail reaches (RFC 2606). */
export async function createRobotUser(tx: Tx, id: string): Promise<void> {
  await tx
    .insertInto('users')
    .values({ id, email: `${id}@robot.invalid`, kind: 'robot' })
    .execute()
}

/** Ends an account whose rights have all been taken. */
export const deactivate = (tx: Tx, id: string): Promise<void> => updateUser(tx, id, { is_active: false })

type FirstPage = Selectable<Users>['first_page']

export type UserRow = {
  id: string
  email: string
  locale: Locale
  /** Null where none is known. */
  time_zone: string | null
  first_page: FirstPage
  is_active: boolean
  access: AccountAccess
  is_staff: boolean
  staff_roles: Role[]
  /** A `robot` is a member of staff that is no person: no mail reaches it, and nothing signs it in. */
  kind: 'person' | 'robot'
  /** True for an account of the demo: if it has a password, everybody knows the password. */
  is_example: boolean
  has_password: boolean
  factors: Factor[]
}

export const findUser = batched(async (db: App['db'], ids: readonly string[]) => {
  const rows: UserRow[] = await db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'locale',
      'time_zone',
      'first_page',
      'is_active',
      'access',
      'is_staff',
      'staff_roles',
      'kind',
      'is_example',
      'has_password',
      'factors',
    ])
    .where((row) => sql<boolean>`${row.ref('id')} = any(${ids}::uuid[])`)
    .$narrowType<{
      access: AccountAccess
      factors: Factor[]
      staff_roles: Role[]
      kind: UserRow['kind']
    }>()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
})

export async function findUsers(db: App['db'], ids: readonly string[]): Promise<Map<string, UserRow>> {
  const rows = await Promise.all(ids.map((id) => findUser(db, id)))
  return new Map(rows.flatMap((row) => (row ? [[row.id, row]] : [])))
}

/** Returns the ids of the active members of staff who are people. */
export async function staffIds(db: App['db']): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_staff', '=', true)
    .where('is_active', '=', true)
    .where('kind', '=', 'person')
    .execute()
  return rows.map(({ id }) => id)
}

export async function hasUsers(db: App['db']): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

type UserChange = Partial<{
  email: string
  locale: string
  time_zone: string | null
  first_page: FirstPage
  is_active: boolean
  has_password: boolean
  factors: Factor[]
}>

export async function updateUser(tx: Tx, id: string, change: UserChange): Promise<void> {
  const { email, locale, time_zone, first_page, is_active, has_password, factors } = change
  const columns = { email, locale, time_zone, first_page, is_active, has_password, factors }
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  if (Object.keys(given).length > 0) await tx.updateTable('users').set(given).where('id', '=', id).execute()
}

/** The only writer of roles, and of the flag that says whether there are any; the database lets only `system` add a role. */
export async function setStaffRoles(tx: Tx, id: string, roles: readonly Role[]): Promise<void> {
  await tx
    .updateTable('users')
    .set({ staff_roles: inOrder(roles), is_staff: roles.length > 0 })
    .where('id', '=', id)
    .execute()
}

/** Takes the lock of all changes that could remove the last owner, until the commit; a trigger of the database takes the same lock. */
export async function lockOwners(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('staff owners', 0))`.execute(tx)
}

export async function isLastOwner(tx: Tx, id: string): Promise<boolean> {
  const owners = await tx
    .selectFrom('users')
    .select('id')
    .where('is_staff', '=', true)
    .where('is_active', '=', true)
    .where(sql<boolean>`'owner' = any(staff_roles)`)
    .limit(2)
    .execute()
  return owners.length === 1 && owners[0]?.id === id
}

type Member = {
  id: string
  email: string
  locale: Locale
  staff_roles: Role[]
  factors: Factor[]
  is_example: boolean
  /** At the latest sign-in or renewal of a session; null before the first. */
  last_seen_at: Date | null
}

/** Returns the active members of staff who are people, the oldest account first. */
export async function staffMembers(db: App['db']): Promise<Member[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'locale', 'staff_roles', 'factors', 'is_example'])
    .select(
      sql<Date | null>`greatest(last_login_at, (select max(written_at) from sessions s where s.user_id = users.id))`.as(
        'last_seen_at',
      ),
    )
    .where('is_staff', '=', true)
    .where('is_active', '=', true)
    .where('kind', '=', 'person')
    .orderBy('created_at')
    .orderBy('id')
    .$narrowType<{ factors: Factor[]; locale: Locale; staff_roles: Role[] }>()
    .execute()
}

/** Counts the people of the staff, and the owners among them, also before the column `kind` exists; for the start and for `hostdesk doctor`. */
export async function countStaff(client: pg.Client): Promise<{ members: number; owners: number }> {
  const { rows } = await client.query<{ members: number; owners: number }>(
    `select count(*)::int as members, (count(*) filter (where 'owner' = any(staff_roles)))::int as owners
     from users where is_staff and is_active and coalesce(to_jsonb(users) ->> 'kind', 'person') = 'person'`,
  )
  return rows[0] ?? { members: 0, owners: 0 }
}

/** Returns the e-mail addresses of the example accounts; [] if the column does not exist yet. */
export async function exampleAccounts(client: pg.Client): Promise<string[]> {
  const made = await client.query(
    "select from pg_attribute where attrelid = to_regclass('public.users') and attname = 'is_example'",
  )
  if (made.rowCount === 0) return []
  const result = await client.query<{ email: string }>(
    'select email from users where is_example order by email',
  )
  return result.rows.map(({ email }) => email)
}

/**
 * Locks the row of the user, so that acts on one account take turns. Writers of rows that refer to the account go on: a sign-in that waited for
 * an order would hold up the renewal for which the order waits.
 */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return findUser(tx, id)
}

/** Locks the row of a user who is being deleted: from now on calls for the account wait, and end with 401 at the commit. For `hardlyWaiting` alone. */
export async function lockUserForGood(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
}

/**
 * Keeps the account from being deleted meanwhile, and returns it as it is then: for another account than that of the transaction's author,
 * which is kept already.
 */
export async function keepUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return findUser(tx, id)
}

/** Returns the network address from which a user signed in last; undefined if no session is left. */
export const lastAddressOf = batched(async (db: App['db'], ids: readonly string[]) => {
  const { rows } = await sql<{ user_id: string; ip: string }>`
    select distinct on (user_id) user_id, host(ip) as ip from sessions
    where user_id = any(${ids}::uuid[]) order by user_id, id desc`.execute(db)
  return new Map(rows.map((row) => [row.user_id, row.ip]))
})
