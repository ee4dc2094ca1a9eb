import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { Agreement } from '#features/payers/contract.ts'
import type { Side } from '#features/payers/rules.ts'
import { spentBy, type AgreementRow, type HostState } from './queries.ts'

/** Returns the agreements as one side sees them, each with the name of the other side. */
export async function agreementReplies(
  app: App,
  tx: Tx,
  rows: readonly AgreementRow[],
  side: Side,
  about?: ReadonlyMap<string, HostState>,
): Promise<Agreement[]> {
  const otherOf = ({ owner_id, payer_id }: AgreementRow) => (side === 'owner' ? payer_id : owner_id)
  const names = await displayNames(app, tx, rows.map(otherOf))
  const spent = await spentBy(
    tx,
    rows.map(({ id }) => id),
  )
  const { currency } = app.config
  return rows.map((row) => {
    const other = otherOf(row)
    return {
      id: row.id,
      side,
      account: other === null ? null : names.of(other),
      email: row.email,
      asked_by: row.asked_by,
      all_hosts: row.all_hosts,
      pays: row.pays,
      month_limit: row.month_limit === null ? null : toMoney(row.month_limit, currency),
      spent_this_month: toMoney(spent.get(row.id) ?? 0n, currency),
      hosts: row.hosts,
      requested_hosts: row.requested_hosts,
      host_state: about?.get(row.id) ?? null,
      state: row.state === 'active' ? 'active' : 'offered',
      created_at: row.created_at.toISOString(),
      expires_at: row.state === 'active' ? null : row.expires_at.toISOString(),
      version: row.version,
    }
  })
}

export async function agreementReply(app: App, tx: Tx, row: AgreementRow, side: Side): Promise<Agreement> {
  return must((await agreementReplies(app, tx, [row], side))[0])
}
