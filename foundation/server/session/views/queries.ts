import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { maySignIn } from '#foundation/server/session/access-queries.ts'
import type { SessionRow } from '#foundation/server/session/queries.ts'

const columns = sql`0::bigint as session_id, 0 as generation, u.id as user_id, '[]'::jsonb as methods, '{}'::jsonb as scratch,
  u.email, u.locale, u.time_zone, false as is_staff, '{}'::text[] as staff_roles, null as factor, u.is_active, u.access,
  u.access_message, u.has_password, u.factors, false as holds_grants`

/** The account that a helper acts for, as somebody who is signed in to it and has proven nothing; undefined where it is closed. */
export async function accountActedFor(db: App['db'], user_id: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select ${columns} from users u where u.id = ${user_id}::uuid and ${maySignIn}`.execute(db)
  return rows[0]
}

/** The account that a view shows, as somebody who is signed in to it and has proven nothing; undefined where the view has ended. */
export async function viewedAccount(
  { db }: Pick<App, 'db'>,
  { session_id, user_id }: Pick<SessionRow, 'session_id' | 'user_id'>,
  view_id: string,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select ${columns} from view_sessions v join users u on u.id = v.customer_id
    where v.id = ${view_id}::uuid and v.session_id = ${session_id} and v.member_id = ${user_id} and v.expires_at > now()
      and not u.is_staff and ${maySignIn}`.execute(db)
  return rows[0]
}

export async function countOpenViews(tx: Tx, member_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from view_sessions where member_id = ${member_id} and expires_at > now()`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

export type NewView = { member_id: string; session_id: bigint; customer_id: string }

/** Inserts a view; undefined where the session of the member has ended meanwhile. */
export async function insertView(
  tx: Tx,
  view: NewView,
  lifetime_s: number,
): Promise<{ id: string; expires_at: Date } | undefined> {
  const { member_id, session_id, customer_id } = view
  const { rows } = await sql<{ id: string; expires_at: Date }>`
    insert into view_sessions (member_id, session_id, customer_id, expires_at)
    select ${member_id}::uuid, s.id, ${customer_id}::uuid, now() + make_interval(secs => ${lifetime_s}::float8)
    from sessions s where s.id = ${session_id} and s.user_id = ${member_id}::uuid for key share
    returning id, expires_at`.execute(tx)
  return rows[0]
}

/** Ends a view; true if it was a view of this member, open or past its time. */
export async function endView(tx: Tx, member_id: string, id: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('view_sessions')
    .where('id', '=', id)
    .where('member_id', '=', member_id)
    .returning('id')
    .execute()
  return deleted.length > 0
}

/** Ends the views that a person has as a member of staff, and all views of their account. */
export async function endViewsWith(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from view_sessions where member_id = ${user_id} or customer_id = ${user_id}`.execute(tx)
}

export async function sweepViews(tx: Tx): Promise<void> {
  await sql`delete from view_sessions where expires_at < now() - interval '1 hour'`.execute(tx)
}
