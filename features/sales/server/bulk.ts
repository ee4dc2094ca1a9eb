import { accept } from '#features/legal/server/legal.ts'
import { amountOf, isSameMoney, toMoney } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { badRequest, conflictWith } from '#foundation/server/http/http-error.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import * as contract from '#features/sales/bulk-orders.ts'
import { planBulk, type BulkPlan } from './bulk-plan.ts'
import { bulkPreviewReply } from './bulk-preview.ts'
import { lockedServers, payersOfServers, shownServers, type Server } from './bulk-servers.ts'
import { assertMaySet, planSettings, writeSettings } from './bulk-settings.ts'
import { assertPayable, claimAll, writeBulk } from './bulk-write.ts'
import { countingTries, findPromo, takePromo, type Promo } from '#features/licences/server/licences.ts'
import { lockCredits, type UpgradeOrigin } from './upgrade-orders.ts'

type Wished = Call<typeof contract.orderBulk>['body']
type Named = Pick<Wished, 'act' | 'host_ids' | 'hosts' | 'plan' | 'as_of' | 'promo'>

/** Answers `POST /api/hosts/bulk/preview/`. All prices are of one moment, and nothing is written. */
export const previewBulk = handler(contract.previewBulk, async ({ app, actor: { user_id }, body }) => {
  assertComplete(body)
  return countingTries(app, user_id, body.promo, () =>
    transaction(app, { userId: user_id }, async (tx) => {
      const servers = await shownServers(tx, user_id, body)
      const planned = await plan(app, tx, { user_id, servers, lock: false }, body)
      return { status: 200, body: await bulkPreviewReply(app, tx, planned) } as const
    }),
  )
})

async function plan(
  app: App,
  tx: Tx,
  { user_id, servers, lock }: { user_id: string; servers: readonly Server[]; lock: boolean },
  { act, plan: slug, as_of, promo: typed }: Named,
): Promise<BulkPlan> {
  if (act === 'auto_renew' || act === 'renewal_plan')
    return planSettings(app, tx, servers, { act, plan: slug })
  const payers = await payersOfServers(tx, user_id, servers, { lock })
  const promo = typed === undefined ? undefined : await promoFor(app, tx, user_id, typed, lock)
  return planBulk(app, tx, servers, { act, plan: slug, as_of, promo }, payers)
}

/**
 * Answers `POST /api/hosts/bulk/` (decision 108). The order of the locks (rule 9): the servers by row id, for an upgrade the
 * invoices that it credits, the agreements, all balances, and the counter of the invoice numbers.
 */
export const orderBulk = handler(contract.orderBulk, async (call) => {
  const { app, actor, body, caller } = call
  const { user_id } = actor
  assertComplete(body)
  if (body.act === 'auto_renew' && body.auto_renew === undefined) throw badRequest('required', 'auto_renew')
  if (body.act !== 'auto_renew' && body.expected_total === undefined)
    throw badRequest('required', 'expected_total')
  return countingTries(app, user_id, body.promo, () =>
    withIdempotencyKey(contract.orderBulk, call, async (tx) => {
      // The owner accepts the terms, and never a helper.
      const version = app.acting ? undefined : body.terms
      await accept(app, tx, { user_id, caller, version, context: 'order' })
      const servers = await lockedServers(app, tx, user_id, body)
      const { act, auto_renew } = body
      if (act !== 'auto_renew' && act !== 'renewal_plan') {
        const ordering = { user_id, servers, origin: originOf(caller) }
        return { status: 200, body: await bulkNow(app, tx, ordering, body) } as const
      }
      const planned = await plan(app, tx, { user_id, servers, lock: true }, body)
      await assertAsShown(app, tx, planned, body)
      assertMaySet(app, { act, auto_renew })
      await writeSettings(app, tx, planned, { act, auto_renew }, caller)
      const set = { servers: servers.map(nameOf), transactions: [], invoices: [] }
      return { status: 200, body: set } as const
    }),
  )
})

/** The code of an order, whose use is counted, or of its preview, which counts nothing. Throws as `findPromo` does. */
const promoFor = async (app: App, tx: Tx, user_id: string, typed: string, counts: boolean): Promise<Promo> =>
  counts ? takePromo(app, tx, user_id, typed) : (await findPromo(app, tx, user_id, typed)).promo

type Ordering = { user_id: string; servers: readonly Server[]; origin: UpgradeOrigin }

const nameOf = ({ host }: Server) => ({ id: host.public_id, name: host.name })

/**
 * Orders, renews or upgrades servers that the caller has locked or made, all of them or none, at the total that was shown; with `isAtMost`
 * also at a lower one. Throws what `POST /api/hosts/bulk/` answers.
 */
export async function bulkNow(
  app: App,
  tx: Tx,
  { user_id, servers, origin }: Ordering,
  wished: Omit<Wished, 'terms' | 'auto_renew'> & { isAtMost?: boolean },
) {
  if (wished.act === 'upgrade')
    await lockCredits(
      tx,
      servers.map(({ host }) => host.id),
    )
  const planned = await plan(app, tx, { user_id, servers, lock: true }, wished)
  await assertAsShown(app, tx, planned, wished)
  const passed = await assertPayable(app, tx, user_id, planned, wished)
  const refused = await claimAll(tx, planned)
  if (refused.length > 0) await assertAsShown(app, tx, { ...planned, refused }, wished)
  const documents = await writeBulk(app, tx, user_id, planned, passed, wished, origin)
  return { servers: servers.map(nameOf), ...documents }
}

/**
 * Throws 409 `servers_refused` if some servers are refused, or `price_changed` if the bulk costs another amount than was shown, with the
 * present preview.
 */
async function assertAsShown(
  app: App,
  tx: Tx,
  planned: BulkPlan,
  {
    act,
    expected_total: shown,
    isAtMost = false,
  }: Pick<Wished, 'act' | 'expected_total'> & { isAtMost?: boolean },
): Promise<void> {
  const total = toMoney(planned.expected_total, app.config.currency)
  const isLower = isAtMost && shown?.currency === total.currency && amountOf(total) < amountOf(shown)
  const isShown = act === 'auto_renew' || isLower || (shown !== undefined && isSameMoney(shown, total))
  if (planned.refused.length === 0 && isShown) return
  const code = planned.refused.length > 0 ? 'servers_refused' : 'price_changed'
  throw conflictWith({ code }, { preview: await bulkPreviewReply(app, tx, planned) })
}

/** Throws 400 `required` if an action lacks its servers or its plan, and 400 `invalid` if it has what belongs to another action. */
export function assertComplete({ act, host_ids, hosts, plan: slug, promo }: Named): void {
  const [wanted, other] =
    act === 'order' ? (['hosts', 'host_ids'] as const) : (['host_ids', 'hosts'] as const)
  const given = { host_ids, hosts }
  if (given[wanted] === undefined) throw badRequest('required', wanted)
  if (given[other] !== undefined) throw badRequest('invalid', other)
  if (slug === undefined && act !== 'renew' && act !== 'auto_renew') throw badRequest('required', 'plan')
  if (promo !== undefined && act !== 'order' && act !== 'renew') throw badRequest('invalid', 'promo')
}
