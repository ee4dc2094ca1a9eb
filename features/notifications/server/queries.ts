import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { arrayOf } from '#foundation/server/database/one-plan.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { KEPT_DAYS, MOST_KEPT, MOST_LINKS, type Kind } from '#features/notifications/rules.ts'

type Db = App['db']

export type News = { kind: Kind; thing: string; link: string; facts: Record<string, string> }
export type Notified = { person: string; notification: bigint; is_pushed: boolean }

/** Writes what happened for these people, in one statement. Returns those who want to know it. */
export async function insertNews(
  tx: Tx,
  people: readonly string[],
  { kind, thing, link, facts }: News,
): Promise<Notified[]> {
  const { rows } = await sql<Notified>`
    select person, notification, is_pushed
    from notify_people(${arrayOf(people, 'uuid')}, ${kind}, ${thing}, ${link}, ${JSON.stringify(facts)}::jsonb)`.execute(
    tx,
  )
  return rows
}

export type NotificationRow = {
  id: bigint
  kind: Kind
  thing: string
  count: number
  link: string
  facts: Record<string, string>
  happened_at: Date
  is_read: boolean
}

/** The notifications of a person, the newest first, after this place. */
export async function notificationsOf(
  db: Db,
  user_id: string,
  { at, id, limit }: { at: string | undefined; id: string | undefined; limit: number },
): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    select id, kind, thing, count, link, facts, happened_at, read_at is not null as is_read from notifications
    where user_id = ${user_id}
      and (${at ?? null}::timestamptz is null or (happened_at, id) < (${at ?? null}::timestamptz, ${id ?? null}::bigint))
    order by happened_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export type Unread = { count: number; links: string[] }

/** How much a person has not read, and the pages that show the newest of it. */
export async function unreadOf(db: Db, user_id: string): Promise<Unread> {
  const { rows } = await sql<Unread>`
    select count(*)::int as count, coalesce((array_agg(link order by happened_at desc))[1:${MOST_LINKS}], '{}') as links
    from notifications where user_id = ${user_id} and read_at is null`.execute(db)
  return must(rows[0])
}

/** Marks as read what leads to this page, or all of it. Returns how many rows that were. */
export async function markRead(tx: Tx, user_id: string, link: string | undefined): Promise<number> {
  const { numAffectedRows } = await sql`
    update notifications set read_at = now()
    where user_id = ${user_id} and read_at is null and (${link ?? null}::text is null or link = ${link ?? null})`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** Deletes what nobody has read yet about a thing that is settled. Returns the people whose count it changes. */
export async function deleteUnreadAbout(tx: Tx, thing: string, people: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    delete from notifications where user_id = any (${arrayOf(people, 'uuid')}) and read_at is null and thing = ${thing}
    returning user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** Deletes what is too old, and of each person what is behind the last few hundred. */
export async function deleteOld(tx: Tx): Promise<void> {
  await sql`delete from notifications where happened_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
    tx,
  )
  await sql`
    delete from notifications where id in (
      select id from (
        select id, row_number() over (partition by user_id order by happened_at desc, id desc) as place from notifications
        where user_id in (select user_id from notifications group by user_id having count(*) > ${MOST_KEPT})) as placed
      where place > ${MOST_KEPT})`.execute(tx)
}

/** Deletes all that the feature knows of a person. */
export async function deleteAllOf(tx: Tx, user_id: string): Promise<void> {
  await sql`delete from notifications where user_id = ${user_id}`.execute(tx)
  await sql`delete from notification_choices where user_id = ${user_id}`.execute(tx)
}

export type ChoicesRow = { silent: Kind[]; unpushed: Kind[] }

/** The kinds that a person does not want; undefined where they never chose. */
export async function choicesOf(db: Db, user_id: string): Promise<ChoicesRow | undefined> {
  const { rows } = await sql<ChoicesRow>`
    select silent, unpushed from notification_choices where user_id = ${user_id}`.execute(db)
  return rows[0]
}

/** Stores the choices of a person; the row is locked, so that two switches at once do not undo each other. */
export async function lockChoices(tx: Tx, user_id: string): Promise<ChoicesRow> {
  const { rows } = await sql<ChoicesRow>`
    insert into notification_choices as c (user_id) values (${user_id})
    on conflict (user_id) do update set silent = c.silent returning silent, unpushed`.execute(tx)
  return must(rows[0])
}

export async function saveChoices(tx: Tx, user_id: string, { silent, unpushed }: ChoicesRow): Promise<void> {
  await sql`
    update notification_choices set silent = ${arrayOf(silent, 'text')}, unpushed = ${arrayOf(unpushed, 'text')}
    where user_id = ${user_id}`.execute(tx)
}
