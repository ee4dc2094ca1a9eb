import { randomUUID } from 'node:crypto'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { orderBulk, previewBulk, type BulkPreview } from '#features/sales/bulk-orders.ts'
import type { Act } from './acts.ts'
import { hold } from './hold.ts'
import { perform, type Life } from './life.ts'
import { netFor, planAtEnd, withVat, buyerOf, type Clock, type Model } from './model.ts'
import { between, choose, higherPlan, nameOf, planNamed, renewalPrice, VALID_MS } from './purchases.ts'
import { buy, judge, switchRenewal } from './renewals.ts'
import { lacksMoney, planUpgrade, upgrade } from './upgrades.ts'
import { codeOf } from '#tests/harness/in-process.ts'
import { call } from './world.ts'

// The acts for many servers at once, here with the single server of a history. Such an act does the same as the act for one server, for
// the price of its preview. A refusal of the server refuses the whole act.

type Wish = { does: Extract<Act, { act: 'bulk' }>['does']; plan: string | undefined; on: boolean }

export async function doBulk(life: Life, act: Extract<Act, { act: 'bulk' }>): Promise<void> {
  const { model, lane, people, hostId } = life
  const { does, on } = act
  const plan = planOfAct(life, act)
  const wish: Wish = { does, plan, on }
  const named = {
    act: does,
    host_ids: [hostId],
    ...(plan !== undefined && does !== 'auto_renew' && { plan }),
  }
  const reply = await call(lane.world, people.owner, previewBulk, { body: named })
  hold('the preview', codeOf(reply), undefined)
  const page = reply.body as BulkPreview
  const as_of = Date.parse(page.as_of)
  const shown = BigInt(page.expected_total.amount)
  const due = priceOf(model, wish, { now: as_of, as_of })
  const told = { refused: page.refused[0]?.code, total: shown }
  hold(
    'the preview',
    told,
    'refused' in due ? { refused: due.refused, total: 0n } : { refused: undefined, ...due },
  )
  const age = await between(life, act.meanwhile)
  const body = {
    ...named,
    as_of: new Date(as_of - age).toISOString(),
    expected_total: toMoney(shown, lane.world.currency),
    ...(does === 'auto_renew' && { auto_renew: on }),
  }
  await perform(life, {
    name: nameOf(`${does} of many`, act.meanwhile),
    ask: () =>
      call(lane.world, people.owner, orderBulk, { headers: { 'idempotency-key': randomUUID() }, body }),
    apply: (clock, { status }) => {
      const exact =
        age < VALID_MS ? as_of - age : status === 200 && does === 'upgrade' ? clock.peek() : clock.now
      return apply(model, wish, clock, { as_of: exact, shown })
    },
  })
}

/** The plan of an act. An act without a plan renews the server with its own plan, and upgrades it to a higher one. */
function planOfAct(life: Life, { does, plan }: Extract<Act, { act: 'bulk' }>): string | undefined {
  if (plan !== null) return planNamed(life, plan)
  if (does === 'upgrade') return higherPlan(life, { plan: 8, higher: 1 })
  return does === 'renewal_plan' ? planNamed(life, 0) : undefined
}

/** Returns the code by which the server is refused, or the price that the preview shows. */
function priceOf(
  model: Model,
  { does, plan: named }: Wish,
  { now, as_of }: { now: number; as_of: number },
): { refused: string } | { total: bigint } {
  if (does === 'auto_renew') return { total: 0n }
  const plan = named ?? planAtEnd(model)
  if (plan === undefined) return { refused: 'plan_required' }
  if (does === 'upgrade') {
    const planned = planUpgrade(model, { plan, all: true }, { now, as_of })
    return 'refused' in planned ? planned : { total: planned.pay_now }
  }
  if (does === 'renewal_plan') {
    const price = renewalPrice(model, plan, now)
    return price ? { total: price.total } : { refused: 'licence_not_running' }
  }
  if (model.suspended) return { refused: 'host_suspended' }
  const { rate_bp } = model[buyerOf(model, false)]
  return { total: withVat(netFor(model, plan, now), rate_bp).total }
}

function apply(
  model: Model,
  wish: Wish,
  clock: Clock,
  { as_of, shown }: { as_of: number; shown: bigint },
): string | undefined {
  const { now } = clock
  const price = priceOf(model, wish, { now, as_of })
  if ('refused' in price) return 'servers_refused'
  if (price.total !== shown) return 'price_changed'
  if (wish.does === 'auto_renew') {
    switchRenewal(model, wish.on, now)
    return undefined
  }
  const plan = must(wish.plan ?? planAtEnd(model))
  if (wish.does === 'renewal_plan') {
    choose(model, plan, must(renewalPrice(model, plan, now)).net, null, now)
    return undefined
  }
  if (wish.does === 'renew') {
    const judged = judge(model, plan, now, { shown })
    if ('refused' in judged) return judged.refused
    buy(model, plan, clock, judged)
    return undefined
  }
  const planned = planUpgrade(model, { plan, all: true }, { now, as_of })
  if ('refused' in planned) return planned.refused
  const refused = lacksMoney(model, planned)
  if (refused === undefined) upgrade(model, { plan, all: true }, planned, clock)
  return refused
}
