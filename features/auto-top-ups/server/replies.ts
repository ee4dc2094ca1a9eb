import { toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { AutoTopUp, AutoTopUpRun } from '#features/auto-top-ups/contract.ts'
import { coverDays } from '#features/auto-top-ups/rules.ts'
import { methodWithId, toMethodReply } from '#features/methods/server/methods.ts'
import { autoTopUpOf } from './queries.ts'
import { openRunOf, usageOf, type RunRow } from './run-queries.ts'

/** The version of an automatic top-up that is off. */
export const OFF = 1

/** The automatic top-up of an account as its contract shows it. */
export async function autoTopUpReply(app: App, db: App['db'], user_id: string): Promise<AutoTopUp> {
  const { currency, timeZone } = app.config
  const [row, run, { used }] = await Promise.all([
    autoTopUpOf(db, user_id),
    openRunOf(db, user_id),
    usageOf(db, user_id, timeZone),
  ])
  const method = row && (await methodWithId(db, row.method_id))
  const money = (amount: bigint | null | undefined) =>
    amount === null || amount === undefined ? null : toMoney(amount, currency)
  return {
    state: row?.state ?? 'off',
    reason: row === undefined || row.reason === '' ? null : row.reason,
    kind: row?.kind ?? 'cover',
    method: method && (method.state === 'active' || method.state === 'paused') ? toMethodReply(method) : null,
    month_limit: money(row?.month_limit),
    threshold: money(row?.threshold),
    amount: money(row?.amount),
    used: toMoney(used, currency),
    open_run: run ? toRunReply(run) : null,
    version: row?.version ?? OFF,
    days_ahead: { at_once: coverDays('card'), direct_debit: coverDays('sepa_debit') },
  }
}

export const toRunReply = (row: RunRow): AutoTopUpRun => ({
  id: row.public_id,
  state: row.state,
  amount: toMoney(row.amount, row.currency),
  reason: row.reason,
  created_at: row.created_at.toISOString(),
  charge_at: row.charge_at.toISOString(),
  act_until: row.state === 'action_needed' ? (row.act_until?.toISOString() ?? null) : null,
  ended_at: row.ended_at?.toISOString() ?? null,
})
