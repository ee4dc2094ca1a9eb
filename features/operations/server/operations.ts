import type { App } from '#foundation/server/app.ts'
import { auditBefore, type AuditRow } from '#foundation/server/audit/audit.ts'
import { placeInOrder } from '#foundation/server/database/order.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeKinds } from '#foundation/server/paging/paging.ts'
import { searchCustomers } from '#features/customers/server/customers.ts'
import * as contract from '#features/operations/contract.ts'
import { displayNames } from '#features/profile/server/profile.ts'

export { beginHold, endHold, presentHolds } from './holds.ts'
export { keepBank, keepCompany, presentSeller } from './company.ts'
export { setupOf } from './setup.ts'
export { auditTail, type AuditLine } from './audit-tail.ts'

/** Answers `GET /api/staff/audit/`. */
export const listAudit = handler(contract.listAudit, async ({ app, query }) => {
  const { limit, cursor, sort, q, person, actor, act, ip, from, to } = query
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
    throw badRequest('invalid', 'to')
  const { number } = placeKinds
  const last = placeInOrder(cursor, sort, { time: number, id: number })
  const before = last && ([last.place, last.id] as const)
  const people = await peopleMeant(app, person, q)
  const filter = { people, actor, act, ip, from, to }
  const rows = await auditBefore(app.db, filter, { sort, before, limit: limit + 1 })
  const page = pageFrom(
    rows,
    limit,
    (row) => [sort, row.at_us, String(row.id)],
    (row) => row,
  )
  return { status: 200, body: { ...page, items: await entriesOf(app, page.items) } }
})

/**
 * The most people by whom the audit is filtered: entries of a thousand people would be a large part of it. A second word narrows
 * the search.
 */
const MOST_PEOPLE = 50

/** Returns the ids of the people that the filter means: undefined without such a filter, and an empty list if the search finds nobody. */
async function peopleMeant(
  app: App,
  person: string | undefined,
  q: string | undefined,
): Promise<readonly string[] | undefined> {
  if (q === undefined) return person === undefined ? undefined : [person]
  const found = [...(await searchCustomers(app, q)).keys()].slice(0, MOST_PEOPLE)
  return person === undefined ? found : found.filter((id) => id === person)
}

async function entriesOf(app: App, rows: readonly AuditRow[]): Promise<contract.AuditEntry[]> {
  const names = await displayNames(app, app.db, [
    ...rows.map(({ user_id }) => user_id),
    ...rows.map(({ actor_id }) => actor_id),
  ])
  const named = (id: string | null) => (id === null ? null : names.of(id))
  return rows.map((row) => {
    const { id, at, act, user_id, ip, user_agent, request_id, detail, actor_kind: kind, actor_id } = row
    return {
      id: String(id),
      at: at.toISOString(),
      act,
      person: named(user_id),
      actor: { kind, person: named(actor_id) },
      ip,
      user_agent,
      request_id,
      detail,
    }
  })
}
