import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { must } from '#foundation/must.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { Grant } from '#features/sharing/contract.ts'
import { ofEachLimit } from '#features/sharing/limits.ts'
import type { AccountToken } from '#features/sharing/token-contract.ts'
import type { GrantRow } from './queries.ts'
import type { TokenRow } from './token-queries.ts'

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
      ...limitsReply(app, row),
      state: row.state === 'active' ? 'active' : 'invited',
      created_at: row.created_at.toISOString(),
      expires_at: row.state === 'active' ? null : row.expires_at.toISOString(),
      version: row.version,
    }
  })
}

const limitsReply = ({ config: { currency } }: App, row: GrantRow) => ({
  ...ofEachLimit('name', ({ name }) => (row[name] === null ? null : toMoney(row[name], currency))),
  ...ofEachLimit('used', ({ used }) => toMoney(row[used], currency)),
})

export const tokenReply = (app: App, row: TokenRow): AccountToken => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  role: row.role,
  all_hosts: row.all_hosts,
  host_ids: row.host_ids,
  ...limitsReply(app, row),
  created_at: row.created_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  while_used: row.while_used,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  last_used_ip: row.last_used_ip,
})

export async function grantReply(app: App, db: App['db'], row: GrantRow, side: Side): Promise<Grant> {
  return must((await grantReplies(app, db, [row], side))[0])
}
