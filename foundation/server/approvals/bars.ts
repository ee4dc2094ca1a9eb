import type { Bar } from '#foundation/approvals.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { introducedUntil } from './bar-queries.ts'
import { waitingFor } from './queries.ts'

type Db = App['db']

/**
 * Returns why a member may not decide on what another one asks for; undefined where they may. The attack is one person with two
 * memberships: an owner who makes an address of their own an admin, or two members who share home, device, address, VAT id or servers.
 */
export async function barBetween(
  app: App,
  db: Db,
  proposer: string,
  decider: string,
): Promise<{ why: Bar; until: Date | null } | undefined> {
  if (proposer === decider) return undefined
  if (await app.mayBeOne?.(app, db, proposer, decider)) return { why: 'linked_with_proposer', until: null }
  const until = await introducedUntil(db, proposer, decider)
  return until === null ? undefined : { why: 'introduced_by_proposer', until }
}

/** How many proposals wait for a member who may decide these actions: none from whom the member is barred, none for a customer who may be them. */
export async function countWaiting(
  app: App,
  db: Db,
  { user_id, acts }: { user_id: string; acts: readonly string[] },
): Promise<number> {
  const groups = await waitingFor(db, { user_id, acts })
  const barred = new Map<string, boolean>()
  for (const { proposed_by, customer_id } of groups) {
    if (!barred.has(proposed_by))
      barred.set(proposed_by, (await barBetween(app, db, proposed_by, user_id)) !== undefined)
    if (customer_id !== null && !barred.has(customer_id))
      barred.set(customer_id, (await app.mayBeOne?.(app, db, user_id, customer_id)) ?? false)
  }
  const open = groups.filter(
    ({ proposed_by, customer_id }) => !barred.get(proposed_by) && !barred.get(customer_id ?? ''),
  )
  return open.reduce((sum, { waiting }) => sum + waiting, 0)
}

/** Throws 403 with the bar between two members. */
export async function assertNoBar(app: App, db: Db, proposer: string, decider: string): Promise<void> {
  const bar = await barBetween(app, db, proposer, decider)
  if (bar) throw new HttpError(403, [{ code: bar.why }])
}
