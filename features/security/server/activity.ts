import { auditBefore, type AuditRow } from '#foundation/server/audit/audit.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/security/contract.ts'
import { actorOf, isSummed, messageIn, shownActs } from '#features/security/rules.ts'
import { firstNamesOf } from '#features/profile/server/profile.ts'

/** Answers `GET /api/users/activity/`. Addresses and browsers of staff stay with the operator. */
export const listActivity = handler(contract.listActivity, async ({ app, actor, query }) => {
  return { status: 200, body: await pageOfActivity(app, actor.user_id, query) }
})

export async function pageOfActivity(
  app: App,
  user_id: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ items: contract.Activity[]; next_cursor: string | null }> {
  const [at_us, id] = placeIn(cursor, [placeKinds.number, placeKinds.number]) ?? []
  const before = at_us !== undefined && id !== undefined ? ([at_us, id] as const) : undefined
  const filter = { people: [user_id], acts: shownActs }
  const rows = await auditBefore(app.db, filter, { before, limit: limit + 1 })
  const page = pageFrom(
    rows,
    limit,
    (row) => [row.at_us, String(row.id)],
    (row) => row,
  )
  return { ...page, items: await toEntries(app, summed(page.items)) }
}

type Summed = AuditRow & { times: number }

/** The attack is a script that tries passwords, and hides behind its own thousand lines what it did at the end. */
function summed(rows: readonly AuditRow[]): Summed[] {
  const all: Summed[] = []
  for (const row of rows) {
    const last = all.at(-1)
    if (last && isSummed(row.act) && isSameHour(last, row)) last.times += 1
    else all.push({ ...row, times: 1 })
  }
  return all
}

const HOUR_MS = 3_600_000

const isSameHour = (one: AuditRow, other: AuditRow): boolean =>
  one.act === other.act && Math.floor(one.at.getTime() / HOUR_MS) === Math.floor(other.at.getTime() / HOUR_MS)

async function toEntries(app: App, rows: readonly Summed[]): Promise<contract.Activity[]> {
  const actors = rows.map(actorOf)
  const staff = actors.flatMap(({ kind, id }) => (kind === 'staff' && id ? [id] : []))
  const names = await firstNamesOf(app.db, staff)
  return rows.map((row, place) => {
    const { kind, id } = actors[place] ?? actorOf(row)
    const own = kind === 'self' || kind === 'stranger'
    return {
      id: String(row.id),
      at: row.at.toISOString(),
      act: row.act,
      by: BY[kind],
      by_name: (kind === 'staff' && id && names.get(id)) || null,
      message: messageIn(row.act, row.detail),
      ip: own ? row.ip : null,
      user_agent: own ? row.user_agent : null,
      times: row.times,
    }
  })
}

const BY = { self: 'you', staff: 'support', cli: 'support', system: 'system', stranger: 'unknown' } as const
