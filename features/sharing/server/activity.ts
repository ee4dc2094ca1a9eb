import { mayActAs, seeMoney } from '#foundation/capability.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { auditBefore, type AuditFilter, type AuditRow } from '#foundation/server/audit/audit.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { hostNames } from '#features/hosts/server/hosts.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { listAccountActivity, type AccountActivity } from '#features/sharing/contract.ts'
import { actsOfGrants, actsOfMoney, actsOfServers, ACTIVITY_DAYS } from '#features/sharing/rules.ts'
import { hostsOpened } from './way-queries.ts'

/**
 * Answers `GET /api/sharing/activity/`: what the owner and the helpers did. Helpers read only what their role lets them know.
 * Helpers with some of the servers read what concerns these servers, or was done by themselves. Only the owner reads about grants.
 */
export const activity = handler(listAccountActivity, async ({ app, actor: { user_id }, query }) => {
  const [at_us, id] = placeIn(query.cursor, [placeKinds.number, placeKinds.number]) ?? []
  const before = at_us !== undefined && id !== undefined ? ([at_us, id] as const) : undefined
  const filter = { people: [user_id], ...(await shownTo(app)) }
  const rows = await auditBefore(app.db, filter, { before, limit: query.limit + 1 })
  const page = pageFrom(
    rows,
    query.limit,
    (row) => [row.at_us, String(row.id)],
    (row) => row,
  )
  return { status: 200, body: { ...page, items: await toEntries(app, page.items) } }
})

async function shownTo({ acting, db }: App): Promise<AuditFilter> {
  const isMoney = !acting || mayActAs(acting.role, seeMoney)
  const acts = [...actsOfServers, ...(isMoney ? actsOfMoney : []), ...(acting ? [] : actsOfGrants)]
  const shown = { acts, kinds: ['self', 'customer'] as const, from: firstDay() }
  if (!acting || acting.all_hosts) return shown
  return { ...shown, about: { hosts: await hostsOpened(db, acting.grant_id), or_by: acting.person_id } }
}

const firstDay = (): string => new Date(Date.now() - ACTIVITY_DAYS * 86_400_000).toISOString()

async function toEntries(app: App, rows: readonly AuditRow[]): Promise<AccountActivity[]> {
  const hosts = await hostNames(
    app.db,
    rows.flatMap((row) => hostOf(row) ?? []),
  )
  const people = rows.map(({ actor_id }) => actor_id)
  const names = await displayNames(app, app.db, people)
  return rows.map((row) => {
    const host_id = hostOf(row)
    const host = host_id === undefined ? undefined : hosts.get(host_id)
    const { amount } = row.detail
    return {
      id: String(row.id),
      at: row.at.toISOString(),
      act: row.act,
      by: row.actor_id === null ? null : names.of(row.actor_id),
      // A server that went to another account may have a new name, which is not for this account.
      host:
        host_id === undefined ? null : { id: host_id, name: host?.user_id === row.user_id ? host.name : '' },
      amount: typeof amount === 'string' ? toMoney(BigInt(amount), app.config.currency) : null,
    }
  })
}

const hostOf = ({ detail: { host_id } }: AuditRow): string | undefined =>
  typeof host_id === 'string' ? host_id : undefined
