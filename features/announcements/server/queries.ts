import { sql, type RawBuilder } from 'kysely'
import { accountsWithNews } from '#features/profile/server/profile.ts'
import type { Locale, Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import {
  NEWS_DAYS,
  RESOLVED_HOURS,
  type Kind,
  type Scope,
  type Status,
} from '#features/announcements/rules.ts'

type Db = App['db']

export type Content = {
  kind: Kind
  title: Translated
  text: Translated
  starts_at: Date | null
  ends_at: Date | null
  scope: Scope
  mail: boolean
}

export type AnnouncementRow = Content & {
  id: string
  status: Status
  revision: number
  has_changes: boolean
  by: string | null
  created_at: Date
  published_at: Date | null
  ended_at: Date | null
  version: number
}

const columns = sql`a.id, a.kind, a.title, a.text, a.starts_at, a.ends_at, a.scope, a.mail, a.status, a.revision, a.by, a.created_at,
  r.published_at, a.ended_at, a.version,
  (a.title, a.text, a.starts_at, a.ends_at, a.scope, a.mail)
    is distinct from (r.title, r.text, r.starts_at, r.ends_at, r.scope, r.mail) as has_changes`

const withRevision = sql`announcements a left join announcement_revisions r on r.announcement_id = a.id and r.revision = a.revision`

export async function insertAnnouncement(tx: Tx, content: Content, by: string | null): Promise<string> {
  const { title, text, scope, ...plain } = content
  const { id } = await tx
    .insertInto('announcements')
    .values({
      ...plain,
      title: JSON.stringify(title),
      text: JSON.stringify(text),
      scope: JSON.stringify(scope),
      by,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function announcementById(db: Db, id: string): Promise<AnnouncementRow | undefined> {
  const { rows } =
    await sql<AnnouncementRow>`select ${columns} from ${withRevision} where a.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks an announcement against changes until the transaction ends, and returns it. */
export async function lockAnnouncement(tx: Tx, id: string): Promise<AnnouncementRow | undefined> {
  await sql`select from announcements where id = ${id} for no key update`.execute(tx)
  return announcementById(tx, id)
}

export async function updateContent(tx: Tx, id: string, content: Content): Promise<void> {
  const { title, text, scope, ...plain } = content
  await tx
    .updateTable('announcements')
    .set({
      ...plain,
      title: JSON.stringify(title),
      text: JSON.stringify(text),
      scope: JSON.stringify(scope),
    })
    .where('id', '=', id)
    .execute()
}

/** Publishes the content that staff have written as the next revision, which customers read. `chosen` are the readers whom a filter finds now. */
export async function publishRevision(
  tx: Tx,
  id: string,
  chosen: RawBuilder<unknown> | undefined,
): Promise<void> {
  await sql`update announcements set status = 'published', revision = revision + 1 where id = ${id}`.execute(
    tx,
  )
  await sql`
    insert into announcement_revisions (announcement_id, revision, title, text, starts_at, ends_at, scope, mail)
    select id, revision, title, text, starts_at, ends_at, scope, mail from announcements where id = ${id}`.execute(
    tx,
  )
  if (chosen)
    await sql`
      insert into announcement_chosen (announcement_id, revision, user_id)
      select a.id, a.revision, r.user_id from announcements a, announcement_readers r
      where a.id = ${id} and r.user_id in (${chosen})`.execute(tx)
}

export async function endAnnouncement(
  tx: Tx,
  id: string,
  { status, resolution }: { status: 'resolved' | 'cancelled'; resolution: Translated | null },
): Promise<void> {
  await tx
    .updateTable('announcements')
    .set({ status, ended_at: sql<Date>`now()`, resolution: resolution && JSON.stringify(resolution) })
    .where('id', '=', id)
    .execute()
}

type Page = { before: readonly [at: string, id: string] | undefined; limit: number }

/** Returns the announcements that were created before a place in the list, newest first. */
export async function announcementsBefore(db: Db, { before, limit }: Page): Promise<AnnouncementRow[]> {
  const condition = before
    ? sql`(a.created_at, a.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`
    : sql`true`
  const { rows } = await sql<AnnouncementRow>`
    select ${columns} from ${withRevision} where ${condition} order by a.created_at desc, a.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export type NoticeRow = Omit<Content, 'scope' | 'mail'> & {
  id: string
  revision: number
  published_at: Date
  resolved_at: Date | null
  resolution: Translated | null
}

/** The maximum number of announcements that are shown at once. */
const MOST_NOTICES = 20

/** Returns the announcements that a reader sees now, incidents first. Without `user_id`: the unresolved incidents for all customers. */
export async function noticesNow(db: Db, user_id: string | undefined): Promise<NoticeRow[]> {
  const mine =
    user_id === undefined
      ? sql`a.status = 'published' and a.kind = 'incident' and r.scope ? 'all' and not r.scope ? 'language'`
      : sql`${readsIt(sql`r.scope`, sql`${user_id}::uuid`, sql`(a.id, a.revision)`)}
          and (not r.scope ? 'language' or exists (
            select from announcement_readers l where l.user_id = ${user_id}::uuid and l.locale = r.scope->>'language'))`
  const { rows } = await sql<NoticeRow>`
    select a.id, a.revision, a.kind, r.title, r.text, r.starts_at, r.ends_at, r.published_at, a.resolution,
      case when a.status = 'resolved' then a.ended_at end as resolved_at
    from announcements a join announcement_revisions r on r.announcement_id = a.id and r.revision = a.revision
    where (a.status = 'published' or a.status = 'resolved' and a.ended_at > now() - make_interval(hours => ${RESOLVED_HOURS}))
      and (a.kind = 'incident' or coalesce(r.ends_at, r.published_at + make_interval(days => ${NEWS_DAYS})) > now())
      and ${mine}
    order by a.kind <> 'incident', coalesce(r.starts_at, r.published_at), a.id limit ${MOST_NOTICES}`.execute(
    db,
  )
  return rows
}

/** An SQL condition: true if the account is one of the readers of the scope; `revision` names the one whose readers a filter has chosen. */
const readsIt = (
  scope: RawBuilder<unknown>,
  user_id: RawBuilder<unknown>,
  revision: RawBuilder<unknown>,
) => sql`case
  when ${scope} ? 'all' then true
  when ${scope} ?| array['servers', 'customers'] then exists (
    select from announcement_chosen h where (h.announcement_id, h.revision) = ${revision} and h.user_id = ${user_id})
  when ${scope} ? 'plans' then exists (
    select from announcement_hosts h where h.user_id = ${user_id} and ${scope}->'plans' ? h.plan)
  else exists (
    select from announcement_hosts h where h.user_id = ${user_id} and ${scope}->'hosts' ? host(h.ipv4)) end`

/** An SQL condition: true for the readers `a` who chose the language of the scope, where it has one. */
const speaksIt = ({ language }: Scope) => (language ? sql`a.locale = ${language}` : sql`true`)

/** An SQL condition: true for the readers `a` who may be mailed. News is for those alone who asked for it; service letters are for all. */
const isMailed = (kind: Kind) =>
  sql<boolean>`a.is_proven and ${kind === 'news' ? sql`a.user_id in (${accountsWithNews})` : sql`true`}`

/** Counts the readers of a scope; `chosen` are those whom its filter finds now. */
export async function countReaders(
  db: Db,
  { kind, scope }: Pick<Content, 'kind' | 'scope'>,
  chosen: RawBuilder<unknown> | undefined,
): Promise<{ customers: number; mails: number }> {
  const mine = chosen
    ? sql`a.user_id in (${chosen})`
    : readsIt(sql`${JSON.stringify(scope)}::jsonb`, sql`a.user_id`, NO_REVISION)
  const { rows } = await sql<{ customers: number; mails: number }>`
    select count(*)::int as customers, (count(*) filter (where ${isMailed(kind)}))::int as mails
    from announcement_readers a where ${speaksIt(scope)} and ${mine}`.execute(db)
  return rows[0] ?? { customers: 0, mails: 0 }
}

const NO_REVISION = sql`(null::uuid, null::int)`

export type Reader = { user_id: string; email: string; locale: Locale; is_mailed: boolean }

/** Returns up to `limit` readers of a revision whose ids come after `after`, in the order of their ids. */
export async function readersAfter(
  db: Db,
  { id, revision, kind, scope }: Pick<Content, 'kind' | 'scope'> & { id: string; revision: number },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Reader[]> {
  const later = after === undefined ? sql`true` : sql`a.user_id > ${after}::uuid`
  const { rows } = await sql<Reader>`
    select a.user_id, a.email, a.locale, ${isMailed(kind)} as is_mailed from announcement_readers a
    where ${later} and ${speaksIt(scope)} and ${readsIt(sql`${JSON.stringify(scope)}::jsonb`, sql`a.user_id`, sql`(${id}::uuid, ${revision}::int)`)}
    order by a.user_id limit ${limit}`.execute(db)
  return rows
}

/** Records a mail of this revision for each of these readers who has none yet. Returns those readers: the caller mails them. */
export async function insertMails(
  tx: Tx,
  { id, revision }: { id: string; revision: number },
  user_ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    insert into announcement_mails (announcement_id, revision, user_id)
    select ${id}, ${revision}, user_id from unnest(${[...user_ids]}::uuid[]) as given (user_id) order by user_id
    on conflict do nothing returning user_id`.execute(tx)
  return new Set(rows.map(({ user_id }) => user_id))
}

/**
 * Records the mail of the end for up to `limit` accounts that were mailed the beginning and not yet the end, and returns them: the caller
 * mails them. Accounts that cannot be mailed now are left out.
 */
export async function insertEndMails(tx: Tx, id: string, limit: number): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    with told as (
      insert into announcement_end_mails (announcement_id, user_id)
      select distinct m.announcement_id, m.user_id from announcement_mails m
      join announcement_readers a on a.user_id = m.user_id and a.is_proven
      where m.announcement_id = ${id}
        and not exists (select from announcement_end_mails e where (e.announcement_id, e.user_id) = (m.announcement_id, m.user_id))
      order by m.user_id limit ${limit}
      on conflict do nothing returning user_id)
    select a.user_id, a.email, a.locale, a.is_proven as is_mailed from announcement_readers a join told using (user_id)`.execute(
    tx,
  )
  return rows
}

export type PublishedRevision = Omit<Content, 'kind'> & {
  kind: Kind
  status: Status
  revision: number
  ended_at: Date | null
}

/** Returns the latest published revision, and locks its announcement against changes until the transaction ends. */
export async function lastPublished(tx: Tx, id: string): Promise<PublishedRevision | undefined> {
  const { rows } = await sql<PublishedRevision>`
    select a.kind, a.status, a.revision, a.ended_at, r.title, r.text, r.starts_at, r.ends_at, r.scope, r.mail
    from announcements a join announcement_revisions r on r.announcement_id = a.id and r.revision = a.revision
    where a.id = ${id} for share of a`.execute(tx)
  return rows[0]
}

/** Returns all who may be mailed news, in one language or in any. */
export async function newsReaders(
  db: Db,
  language: Locale | undefined,
): Promise<Omit<Reader, 'is_mailed'>[]> {
  const { rows } = await sql<Reader>`
    select a.user_id, a.email, a.locale from announcement_readers a
    where ${isMailed('news')} and ${language ? sql`a.locale = ${language}` : sql`true`} order by a.email`.execute(
    db,
  )
  return rows
}
