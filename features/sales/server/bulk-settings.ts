import { autoRenewChanged } from '#features/hosts/contract.ts'
import { planAtEnd } from '#features/hosts/rules.ts'
import { announceHost, setAutoRenew } from '#features/hosts/server/hosts.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { codeOf, type BulkPlan, type RefusedServer } from './bulk-plan.ts'
import { judgeRenewalPlan, writeRenewalPlan } from './renewal-plan.ts'

type Wish = {
  act: 'auto_renew' | 'renewal_plan'
  plan?: string | undefined
  auto_renew?: boolean | undefined
}

/** Returns the settings with which the servers would renew, and the servers for which they are refused. No money moves now. */
export async function planSettings(
  app: App,
  tx: Tx,
  servers: BulkPlan['servers'],
  { act, plan }: Wish,
): Promise<BulkPlan> {
  const refused: RefusedServer[] = []
  const renewals: BulkPlan['renewals'] = new Map()
  if (act === 'renewal_plan')
    for (const server of servers) {
      const { host } = server
      try {
        renewals.set(host.id, await judgeRenewalPlan(app, tx, host, plan ?? ''))
      } catch (error) {
        refused.push({ ...server, code: codeOf(error) })
      }
    }
  const { now } = must(servers[0]).host
  const expected_total = [...renewals.values()].reduce((sum, { total }) => sum + total, 0n)
  const nothing = { payments: [], credited: [], upgrades: new Map() }
  return { ...nothing, now, as_of: now, servers, refused, renewals, expected_total }
}

/**
 * Throws 403 `not_allowed_for_role` if a helper with a limit would switch renewal on or choose its plan: renewals come again each
 * term, so the limit cannot bound them. Such a helper may only switch renewal off.
 */
export function assertMaySet({ acting }: App, { act, auto_renew }: Wish): void {
  const isSpending = act === 'renewal_plan' || auto_renew === true
  if (isSpending && acting?.isLimited) throw new HttpError(403, [{ code: 'not_allowed_for_role' }])
}

/** Writes the settings. Only servers whose settings differ are changed and announced. */
export async function writeSettings(
  app: App,
  tx: Tx,
  { servers, renewals }: BulkPlan,
  { auto_renew }: Wish,
  caller: Caller,
): Promise<void> {
  for (const { host } of servers) {
    const { id, user_id, public_id, name } = host
    const chosen = renewals.get(id)
    if (chosen) {
      const plan_before = planAtEnd(host)?.plan ?? ''
      if (!(await writeRenewalPlan(app, tx, host, { ...chosen, auto_renew: host.auto_renew }))) continue
      const detail = { host_id: public_id, host: name, plan: chosen.plan.slug, plan_before }
      await recordAction(tx, { user_id, act: 'licence.renewal_plan_chosen', ...originOf(caller), detail })
    } else {
      if (auto_renew === undefined || auto_renew === host.auto_renew) continue
      await setAutoRenew(tx, host, auto_renew)
      await emit(app, tx, autoRenewChanged, { user_id, id, host_id: public_id, auto_renew })
    }
    await announceHost(tx, host)
  }
}
