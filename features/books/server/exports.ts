import * as contract from '#features/books/contract.ts'
import { exportFailures, unsuitableEnd } from '#features/books/rules.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setDownloadHeaders } from '#foundation/server/http/download-headers.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { assertKind } from '#foundation/server/http/kinds.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { requireSeller } from '#features/invoices/server/invoices.ts'
import { MAKE_EXPORT } from './exports/make.ts'
import * as queries from './exports/queries.ts'

/** Answers `POST /api/staff/books/exports/`. */
export const askForExport = handler(contract.askForExport, async ({ app, actor, caller, body }) => {
  const { kind, from, to } = body
  requireSeller(app)
  if (kind === 'datev' && !app.config.datev) throw new HttpError(409, [{ code: 'datev_not_set_up' }])
  const wrong = unsuitableEnd(kind, from, to)
  if (wrong) throw badRequest('invalid', wrong)
  const { user_id } = actor
  const locale = (await findUser(app.db, user_id))?.locale ?? 'en'
  const asked = await transaction(app, 'system', async (tx) => {
    const row = await queries.askFor(tx, { kind, from, to, made_by: user_id, locale })
    if (row.is_new) {
      enqueue(tx, MAKE_EXPORT, { id: row.id }, { key: `book_export:${row.id}`, max_attempts: ATTEMPTS })
      const detail = { by: user_id, kind, from, to }
      await recordAction(tx, { user_id: null, act: 'books.exported', ...originOf(caller), detail })
      await publishToStaff(tx, { type: contract.EXPORTS_CHANGED })
    }
    return row
  })
  const [reply] = await repliesOf(app, [asked])
  return { status: 202, body: must(reply) }
})

/** The number of attempts, which take some minutes: the member of staff who waits for the file can then ask again. */
const ATTEMPTS = 6

/** Answers `GET /api/staff/books/exports/`. */
export const listExports = handler(contract.listExports, async ({ app, query }) => {
  const { limit, cursor } = query
  const [place, id] = placeIn(cursor, [placeKinds.number, placeKinds.uuid]) ?? []
  const before = place !== undefined && id !== undefined ? ([place, id] as const) : undefined
  const rows = await queries.exportsBefore(app.db, { before, limit: limit + 1 })
  const page = pageFrom(
    rows,
    limit,
    (row) => [row.place, row.id],
    (row) => row,
  )
  return { status: 200, body: { ...page, items: await repliesOf(app, page.items) } }
})

/** Answers `GET …/{exportId}/file`. */
export const fetchExport = handler(contract.fetchExport, async ({ app, actor, caller, params, reply }) => {
  const row = await queries.exportById(app.db, params.exportId)
  if (!row || row.state === 'removed') throw notFound()
  assertKind(contract.fetchExport, caller, row.kind)
  if (row.state !== 'ready' || row.key === null) throw new HttpError(409, [{ code: 'export_not_ready' }])
  const content = await app.storage.open(row.key)
  if (!content) throw notFound()
  const { kind, first_day: from, last_day: to, name } = row
  await transaction(app, 'system', (tx) => {
    const detail = { by: actor.user_id, kind, from, to }
    return recordAction(tx, { user_id: null, act: 'books.fetched', ...originOf(caller), detail })
  }).catch((error: unknown) => {
    content.destroy()
    throw error
  })
  void setDownloadHeaders(reply)
    .headers({
      'content-type': 'application/octet-stream',
      'content-length': String(row.bytes ?? 0n),
      // The server made up the name, of letters, digits, hyphens and points: nothing in it needs escaping.
      'content-disposition': `attachment; filename="${name ?? ''}"`,
    })
    .send(content)
  return null
})

async function repliesOf(app: App, rows: readonly queries.ExportRow[]): Promise<contract.BookExport[]> {
  const names = await displayNames(
    app,
    app.db,
    rows.map(({ made_by }) => made_by),
  )
  return rows.map(({ id, kind, first_day, last_day, state, made_by, ...row }) => ({
    id,
    kind,
    from: first_day,
    to: last_day,
    state,
    made_by: made_by === null ? null : names.of(made_by),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    name: row.name,
    rows: row.rows === null ? null : Number(row.rows),
    bytes: row.bytes === null ? null : Number(row.bytes),
    sha256: row.sha256?.toString('hex') ?? null,
    agrees: row.agrees,
    failure: exportFailures.find((known) => known === row.failure) ?? null,
  }))
}
