import { summedAuditBefore, type AuditRow } from '#foundation/server/audit/audit.ts'
import type { App } from '#foundation/server/app.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import * as contract from '#features/security/contract.ts'
import { messageIn, shownActs, summedActs } from '#features/security/rules.ts'
import { displayNames, firstNamesOf } from '#features/profile/server/profile.ts'

/**
 * Answers `GET /api/users/activity/`. IP address and browser are shown only for the customer's own actions and for attempts by strangers.
 */
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
  // Failed attempts are summed. The attack is a script that tries passwords, and whose thousand failures hide what it did in the end.
  const filter = { person: user_id, acts: shownActs, summed: summedActs }
  const rows = await summedAuditBefore(app.db, filter, { before, limit: limit + 1 })
  const page = pageFrom(
    rows,
    limit,
    (row) => [row.at_us, String(row.id)],
    (row) => row,
  )
  return { ...page, items: await toEntries(app, page.items) }
}

type Summed = AuditRow & { times: number }

async function toEntries(app: App, rows: readonly Summed[]): Promise<contract.Activity[]> {
  const actorsWho = (wanted: AuditRow['actor_kind']) =>
    rows.flatMap(({ actor_kind, actor_id }) => (actor_kind === wanted && actor_id ? [actor_id] : []))
  const staff = await firstNamesOf(app.db, actorsWho('staff'))
  const customers = await displayNames(app, app.db, actorsWho('customer'))
  const nameOf = ({ actor_kind, actor_id }: AuditRow): string | undefined => {
    if (actor_id === null) return undefined
    if (actor_kind === 'staff') return staff.get(actor_id)
    return actor_kind === 'customer' ? customers.of(actor_id).name : undefined
  }
  return rows.map((row) => {
    const own = row.actor_kind === 'self' || row.actor_kind === 'stranger'
    return {
      id: String(row.id),
      at: row.at.toISOString(),
      act: row.act,
      by: BY[row.actor_kind],
      by_name: nameOf(row) || null,
      message: messageIn(row.act, row.detail),
      ip: own ? row.ip : null,
      user_agent: own ? row.user_agent : null,
      times: row.times,
    }
  })
}

const BY = {
  self: 'you',
  staff: 'support',
  cli: 'support',
  customer: 'helper',
  system: 'system',
  stranger: 'unknown',
} as const
