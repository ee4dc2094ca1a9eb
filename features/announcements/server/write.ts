import { must } from '#foundation/must.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { changedTo } from '#foundation/versions.ts'
import * as contract from '#features/announcements/contract.ts'
import { scopeOf } from '#features/announcements/rules.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { refuseIban } from './chosen.ts'
import * as queries from './queries.ts'
import type { AnnouncementRow, Content } from './queries.ts'

/** Answers `GET /api/staff/announcements/`. */
export const list = handler(contract.listAnnouncements, async ({ app, query: { limit, cursor } }) => {
  const [at, id] = placeIn(cursor, [placeKinds.time, placeKinds.uuid]) ?? []
  const before = at !== undefined && id !== undefined ? ([at, id] as const) : undefined
  const rows = await queries.announcementsBefore(app.db, { before, limit: limit + 1 })
  const page = pageFrom(
    rows,
    limit,
    (row) => [row.created_at.toISOString(), row.id],
    (row) => row,
  )
  return { status: 200, body: { ...page, items: await replies(app, app.db, page.items) } }
})

/** Answers `POST /api/staff/announcements/`. */
export const create = handler(contract.createAnnouncement, (call) => {
  const { app, actor, body } = call
  const work = async (tx: Tx) => {
    const row = await write(tx, body, actor.user_id)
    return { status: 201, body: await reply(app, tx, row) } as const
  }
  return withIdempotencyKey(contract.createAnnouncement, call, work, 'system')
})

/** Writes an announcement; `by` is null for the command line. Throws 400 as `changed` does. */
export async function write(tx: Tx, content: Changes, by: string | null): Promise<AnnouncementRow> {
  const id = await queries.insertAnnouncement(tx, changed(EMPTY, content), by)
  return must(await queries.announcementById(tx, id))
}

/** Answers `PATCH /api/staff/announcements/{announcementId}/`. */
export const update = handler(contract.updateAnnouncement, ({ app, params, body }) =>
  transaction(app, 'system', async (tx) => {
    const row = await openAnnouncement(tx, params.announcementId)
    if (row.version !== body.version) return changedTo(await reply(app, tx, row))
    // Each kind is shown for a different time, so an announcement that customers read keeps its kind.
    if (body.kind !== undefined && body.kind !== row.kind && row.revision > 0)
      throw badRequest('invalid', 'kind')
    await queries.updateContent(tx, row.id, changed(row, body))
    const present = must(await queries.announcementById(tx, row.id))
    return { status: 200, body: await reply(app, tx, present) } as const
  }),
)

/** Returns the announcement, locked until the transaction ends. Throws 404, and 409 `announcement_over` if it is resolved or withdrawn. */
export async function openAnnouncement(tx: Tx, id: string): Promise<AnnouncementRow> {
  const row = await queries.lockAnnouncement(tx, id)
  if (!row) throw notFound()
  if (row.ended_at) throw new HttpError(409, [{ code: 'announcement_over' }])
  return row
}

const nothing: Translated = { en: '', de: '', ru: '' }

const EMPTY: Content = {
  kind: 'news',
  title: nothing,
  text: nothing,
  starts_at: null,
  ends_at: null,
  scope: { all: true },
  mail: false,
}

type Words = { [Language in keyof Translated]?: string | undefined }

/** Returns, for each language, the given words if there are any, else the words of `before`. */
export const inEach = (before: Translated, words: Words = {}): Translated => ({
  en: words.en ?? before.en,
  de: words.de ?? before.de,
  ru: words.ru ?? before.ru,
})

type Changes = {
  kind?: Content['kind'] | undefined
  title?: Words | undefined
  text?: Words | undefined
  starts_at?: string | null | undefined
  ends_at?: string | null | undefined
  scope?: Parameters<typeof scopeOf>[0] | undefined
  mail?: boolean | undefined
}

/** Returns the content with these changes. Throws 400 `invalid`@scope unless the scope names readers of one kind, and as `refuseIban` does. */
function changed(before: Content, { kind, title, text, starts_at, ends_at, scope, mail }: Changes): Content {
  const wanted = scope && scopeOf(scope)
  if (scope && !wanted) throw badRequest('invalid', 'scope')
  if (wanted) refuseIban(wanted)
  return {
    kind: kind ?? before.kind,
    title: inEach(before.title, title),
    text: inEach(before.text, text),
    starts_at: timeIn(before.starts_at, starts_at),
    ends_at: timeIn(before.ends_at, ends_at),
    scope: wanted ?? before.scope,
    mail: mail ?? before.mail,
  }
}

function timeIn(before: Date | null, given: string | null | undefined): Date | null {
  if (given === undefined) return before
  return given === null ? null : new Date(given)
}

export async function reply(app: App, db: App['db'], row: AnnouncementRow): Promise<contract.Announcement> {
  return must((await replies(app, db, [row]))[0])
}

async function replies(
  app: App,
  db: App['db'],
  rows: readonly AnnouncementRow[],
): Promise<contract.Announcement[]> {
  const names = await displayNames(
    app,
    db,
    rows.map(({ by }) => by),
  )
  return rows.map((row) => ({
    ...row,
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    by: row.by === null ? null : names.of(row.by),
    created_at: row.created_at.toISOString(),
    published_at: row.published_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  }))
}
