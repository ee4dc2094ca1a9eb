import { sql } from 'kysely'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { MOST_BROWSERS } from '#features/notifications/rules.ts'
import type { NotificationRow } from './queries.ts'

type Db = App['db']

export type Subscription = { id: string; endpoint: string; p256dh: string; auth: string }

/** The browsers of a person, the newest first; with an id only that one. */
export async function subscriptionsOf(db: Db, user_id: string, id?: string): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select s.id, s.endpoint, s.p256dh, s.auth from push_subscriptions s
    where s.user_id = ${user_id} and (${id ?? null}::uuid is null or s.id = ${id ?? null}::uuid)
    order by s.created_at desc, s.id`.execute(db)
  return rows
}

type New = Omit<Subscription, 'id'> & { user_id: string; session_id: bigint }

/**
 * Stores a browser of a session. A browser has one subscription: whoever signs in there next takes it over, so the row of another account
 * goes. The transaction writes as the system for that.
 */
export async function putSubscription(
  tx: Tx,
  { user_id, session_id, endpoint, p256dh, auth }: New,
): Promise<void> {
  await sql`
    insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
    values (${user_id}, ${session_id}, ${endpoint}, ${p256dh}, ${auth})
    on conflict (endpoint) do update
    set user_id = excluded.user_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
      created_at = now()`.execute(tx)
  await sql`
    delete from push_subscriptions where user_id = ${user_id} and id not in (
      select id from push_subscriptions where user_id = ${user_id} order by created_at desc, id limit ${MOST_BROWSERS})`.execute(
    tx,
  )
}

export async function deleteSubscription(tx: Tx, user_id: string, endpoint: string): Promise<void> {
  await sql`delete from push_subscriptions where user_id = ${user_id} and endpoint = ${endpoint}`.execute(tx)
}

export async function deleteSubscriptionsOf(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from push_subscriptions where user_id = ${user_id}`.execute(tx)
}

export async function noteSent(tx: Tx, id: string): Promise<void> {
  await sql`update push_subscriptions set last_ok_at = now() where id = ${id}`.execute(tx)
}

/** A notification that its person has not read yet. */
export async function unreadById(
  db: Db,
  user_id: string,
  id: string,
): Promise<Pick<NotificationRow, 'kind' | 'link' | 'facts'> | undefined> {
  const { rows } = await sql<Pick<NotificationRow, 'kind' | 'link' | 'facts'>>`
    select kind, link, facts from notifications
    where id = ${id}::bigint and user_id = ${user_id} and read_at is null`.execute(db)
  return rows[0]
}

export type PushKeys = { public_key: string; private_sealed: string }

export async function keysOfPush(db: Db): Promise<PushKeys | undefined> {
  const { rows } = await sql<PushKeys>`select public_key, private_sealed from push_keys`.execute(db)
  return rows[0]
}

/** Keeps the first pair: another process may have been faster. */
export async function insertKeys(tx: Tx, { public_key, private_sealed }: PushKeys): Promise<void> {
  await sql`
    insert into push_keys (public_key, private_sealed) values (${public_key}, ${private_sealed})
    on conflict do nothing`.execute(tx)
}

export async function setPrivateKey(tx: Tx, private_sealed: string): Promise<void> {
  await sql`update push_keys set private_sealed = ${private_sealed}`.execute(tx)
}
