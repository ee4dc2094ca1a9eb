import { randomUUID } from 'node:crypto'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { orderLicence } from '#features/sales/contract.ts'
import type { Life, Step } from './life.ts'
import { ahead, DAY, planOf, type Clock, type Edition, type Model, type Sale } from './model.ts'
import { planNamed } from './purchases.ts'
import { watchEnd } from './renewals.ts'
import { call } from './world.ts'

/** Orders a free trial of some days. It is allowed once for each account and edition, and not while another period runs. */
export function tryPlan(life: Life, place: number): Step {
  const { model, lane, people, hostId } = life
  const plan = planNamed(life, place)
  return {
    name: 'trial',
    ask: () =>
      call(lane.world, people.owner, orderLicence, {
        params: { hostId },
        headers: { 'idempotency-key': randomUUID() },
        body: { plan, expected_total: toMoney(0n, lane.world.currency), trial: true },
      }),
    apply(clock) {
      const edition = must(model.editions.get(planOf(model, plan).edition))
      if (model.suspended) return 'host_suspended'
      if (ahead(model, clock.now).length > 0) return 'licence_running'
      if (edition.trial_days === 0) return 'trial_not_offered'
      if (model.owner.tried.has(edition.slug)) return 'trial_used'
      beginTrial(model, plan, edition, clock)
      return undefined
    },
  }
}

/** Begins a trial. It is not renewed by itself; a plan that is bought during it counts its months from the end of the trial. */
function beginTrial(model: Model, plan: string, edition: Edition, clock: Clock): void {
  const starts = clock.ordered()
  const ends = starts + edition.trial_days * DAY
  const { months } = planOf(model, plan)
  const what = { sale: nothing(), kind: 'trial', plan, edition: edition.slug, months } as const
  const anchor = new Date(ends).getUTCDate()
  const bought = { ...edition.entitlements }
  model.periods.push({ ...what, bought, starts, ends, term_starts: starts, anchor, ended: null })
  model.owner.tried.add(edition.slug)
  Object.assign(model, { auto_renew: false, choice: null })
  watchEnd(model, starts)
}

const nothing = (): Sale => ({
  transaction_id: '',
  buyer: 'owner',
  agreement: null,
  rate_bp: 0n,
  total: 0n,
  left: { net: 0n, vat: 0n, total: 0n },
})
