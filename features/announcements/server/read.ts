import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/announcements/contract.ts'
import { inAny } from '#features/announcements/rules.ts'
import * as queries from './queries.ts'

/** Answers `GET /api/announcements/`. */
export const notices = handler(contract.listNotices, async ({ app, actor }) => ({
  status: 200,
  body: { items: await noticesOf(app, actor.user_id) },
}))

/** Answers `GET /api/announcements/public/`. */
export const publicNotices = handler(contract.listPublicNotices, async ({ app }) => ({
  status: 200,
  body: { items: await noticesOf(app, undefined) },
}))

async function noticesOf(app: App, user_id: string | undefined): Promise<contract.Notice[]> {
  const rows = await queries.noticesNow(app.db, user_id)
  return rows.map((row) => ({
    ...row,
    title: inAny(row.title),
    text: inAny(row.text),
    starts_at: row.starts_at?.toISOString() ?? null,
    ends_at: row.ends_at?.toISOString() ?? null,
    published_at: row.published_at.toISOString(),
    resolved_at: row.resolved_at?.toISOString() ?? null,
  }))
}
