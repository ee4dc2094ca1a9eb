import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { must } from '#foundation/must.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { Grant } from '#features/sharing/contract.ts'
import type { GrantRow } from './queries.ts'

type Side = 'given' | 'received'

/** Returns the grants as one side (owner or helper) sees them, each with the name of the other side. */
export async function grantReplies(
  app: App,
  db: App['db'],
  rows: readonly GrantRow[],
  side: Side,
): Promise<Grant[]> {
  const otherOf = ({ owner_id, grantee_id }: GrantRow) => (side === 'given' ? grantee_id : owner_id)
  const names = await displayNames(app, db, rows.map(otherOf))
  return rows.map((row) => {
    const other = otherOf(row)
    return {
      id: row.id,
      account: other === null ? null : names.of(other),
      email: row.email,
      role: row.role,
      all_hosts: row.all_hosts,
      host_ids: side === 'given' ? row.host_ids : [],
      needs_second_factor: row.needs_second_factor,
      may_pass_on: row.may_pass_on,
      month_limit: row.month_limit === null ? null : toMoney(row.month_limit, app.config.currency),
      spent_this_month: toMoney(row.spent_this_month, app.config.currency),
      state: row.state === 'active' ? 'active' : 'invited',
      created_at: row.created_at.toISOString(),
      expires_at: row.state === 'active' ? null : row.expires_at.toISOString(),
      version: row.version,
    }
  })
}

export async function grantReply(app: App, db: App['db'], row: GrantRow, side: Side): Promise<Grant> {
  return must((await grantReplies(app, db, [row], side))[0])
}
