import { randomUUID } from 'node:crypto'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { updateHost } from '#features/hosts/contract.ts'
import * as sales from '#features/sales/contract.ts'
import type { UpgradePreview } from '#features/sales/upgrade-preview.ts'
import type { Act, Meanwhile } from './acts.ts'
import { hold } from './hold.ts'
import { perform, type Life } from './life.ts'
import {
  ahead,
  atMost,
  buyerOf,
  DAY,
  last,
  netFor,
  planAtEnd,
  planOf,
  priceAt,
  withVat,
  type Clock,
  type Model,
} from './model.ts'
import { jump } from './passing.ts'
import { buy, judge, nextCharge, planStep, switchRenewal } from './renewals.ts'
import { lacksMoney, planUpgrade, upgrade, type Wish } from './upgrades.ts'
import { codeOf } from '#tests/harness/in-process.ts'
import { call } from './world.ts'

// Purchases on a page that has shown a price. Another act may happen between the page and the click of the customer.

const key = () => ({ 'idempotency-key': randomUUID() })
export const planNamed = ({ model }: Life, place: number): string => must([...model.plans.keys()][place])

/** Does the act between the page and the click. Returns the time in ms that has passed; 0 unless the act is a wait. */
export async function between(life: Life, meanwhile: Meanwhile): Promise<number> {
  if (!meanwhile) return 0
  if (meanwhile.act !== 'wait') {
    await life.live(meanwhile)
    return 0
  }
  const { lane, model, host_id, people } = life
  const ms = await jump(
    lane,
    model,
    { host_id, owner_id: people.owner.user_id, payer_id: people.payer.user_id },
    Math.round(meanwhile.days * DAY),
  )
  return ms
}

export async function order(life: Life, act: Extract<Act, { act: 'order' }>): Promise<void> {
  const { model, lane, people, hostId } = life
  const plan = planNamed(life, act.plan)
  const buyer = model[buyerOf(model, false)]
  const shown = withVat(netFor(model, plan, Date.now()), buyer.rate_bp).total
  await between(life, act.meanwhile)
  const body = { plan, expected_total: toMoney(shown, lane.world.currency) }
  await perform(life, {
    name: nameOf('order', act.meanwhile),
    ask: () =>
      call(lane.world, people.owner, sales.orderLicence, { params: { hostId }, headers: key(), body }),
    apply(clock) {
      const judged = judge(model, plan, clock.now, { shown })
      if ('refused' in judged) return judged.refused
      buy(model, plan, clock, judged)
      return undefined
    },
  })
}

export const nameOf = (what: string, meanwhile: Meanwhile) =>
  meanwhile ? `${what} after ${meanwhile.act}` : what

/** The time for which the preview of an upgrade is valid. */
export const VALID_MS = 900_000

export async function doUpgrade(life: Life, act: Extract<Act, { act: 'upgrade' }>): Promise<void> {
  const { model, lane, people, hostId } = life
  const wish: Wish = { plan: higherPlan(life, act), all: act.all }
  const scope = act.all ? ('all' as const) : ('present' as const)
  const input = { params: { hostId }, body: { plan: wish.plan, scope, when: 'now' as const } }
  const reply = await call(lane.world, people.owner, sales.previewUpgrade, input)
  const now = Date.now()
  if (reply.status !== 200) {
    const due = planUpgrade(model, wish, { now, as_of: now })
    hold('the preview', codeOf(reply), 'refused' in due ? due.refused : 'nothing')
    return
  }
  const page = reply.body as UpgradePreview
  const as_of = Date.parse(page.as_of)
  const due = planUpgrade(model, wish, { now: as_of, as_of })
  const amounts = 'refused' in due ? due : { credit: due.credit, charge: due.charge, pay_now: due.pay_now }
  const [credit, charge, pay_now] = [page.credit, page.charge, page.pay_now].map(({ amount }) =>
    BigInt(amount),
  )
  hold('the preview', { credit, charge, pay_now }, amounts)
  const age = await between(life, act.meanwhile)
  const body = {
    plan: wish.plan,
    scope,
    as_of: new Date(as_of - age).toISOString(),
    expected_total: page.pay_now,
  }
  await perform(life, {
    name: nameOf('upgrade', act.meanwhile),
    ask: () =>
      call(lane.world, people.owner, sales.upgradeLicence, { params: { hostId }, headers: key(), body }),
    apply: (clock, { status }) =>
      applyUpgrade(model, wish, clock, {
        as_of: age < VALID_MS ? as_of - age : null,
        pay_now: must(pay_now),
        status,
      }),
  })
}

/** Returns a plan of a higher edition with the term of the running plan; the plan of the act where `higher` is null or no plan runs. */
export function higherPlan(
  life: Life,
  { plan, higher }: Pick<Extract<Act, { act: 'upgrade' }>, 'plan' | 'higher'>,
): string {
  const { model } = life
  const [present] = ahead(model, Date.now())
  if (higher === null || !present) return planNamed(life, plan)
  const editions = [...model.editions.keys()]
  const wanted = editions[Math.min(editions.indexOf(present.edition) + higher, editions.length - 1)]
  const found = [...model.plans.values()].find(
    ({ edition, months }) => edition === wanted && months === present.months,
  )
  return must(found).slug
}

/** A null `as_of` means that the preview is too old: the time of the order counts, which only the row of the order shows. */
function applyUpgrade(
  model: Model,
  wish: Wish,
  clock: Clock,
  { as_of, pay_now, status }: { as_of: number | null; pay_now: bigint; status: number },
): string | undefined {
  const now = clock.now
  const exact = as_of ?? (status === 201 ? clock.peek() : now)
  const planned = planUpgrade(model, wish, { now, as_of: exact })
  if ('refused' in planned) return planned.refused
  if (planned.pay_now !== pay_now) return 'price_changed'
  const refused = lacksMoney(model, planned)
  if (refused !== undefined) return refused
  upgrade(model, wish, planned, clock)
  return undefined
}

export async function planEnd(life: Life, act: Extract<Act, { act: 'plan at the end' }>): Promise<void> {
  const { model, lane, people, hostId } = life
  const plan = planNamed(life, act.plan)
  const params = { hostId }
  const reply = await call(lane.world, people.owner, sales.previewUpgrade, {
    params,
    body: { plan, scope: 'all', when: 'end' },
  })
  const now = Date.now()
  const price = renewalPrice(model, plan, now)
  if (price === undefined) {
    hold('the preview of the end', codeOf(reply), 'licence_not_running')
    return
  }
  const page = reply.body as UpgradePreview
  hold('the renewal of the preview', BigInt(page.renewal.amount), price.total)
  const from = must(planAtEnd(model))
  await between(life, act.meanwhile)
  const body = {
    plan,
    from,
    expected_total: page.renewal,
    ...(act.on === null ? {} : { auto_renew: act.on }),
  }
  await perform(life, {
    name: nameOf('plan at the end', act.meanwhile),
    ask: () => call(lane.world, people.owner, sales.chooseRenewalPlan, { params, body }),
    apply(clock) {
      const present = renewalPrice(model, plan, clock.now)
      if (!present) return 'licence_not_running'
      if (present.total !== price.total) return 'price_changed'
      if (planAtEnd(model) !== from) return 'changed'
      choose(model, plan, present.net, act.on, clock.now)
      return undefined
    },
  })
}

/** Returns the price of the plan at the next charge, which is at most the price that the mails announced; undefined if no plan runs. */
export function renewalPrice(
  model: Model,
  plan: string,
  now: number,
): { net: bigint; total: bigint } | undefined {
  const end = ahead(model, now).at(-1)?.ends
  if (end === undefined) return undefined
  const announced = plan === planAtEnd(model) ? model.watch?.announced : null
  const net = atMost(priceAt(planOf(model, plan), 'renewals_from', nextCharge(end, now) ?? now), announced)
  return { net, total: withVat(net, model.owner.rate_bp).total }
}

export function choose(model: Model, plan: string, net: bigint, on: boolean | null, now: number): void {
  const isOther = plan !== planAtEnd(model)
  model.choice = plan === last(model)?.plan ? null : plan
  const { watch } = model
  if (watch && isOther && watch.announced !== null) {
    watch.announced = net
    planStep(model)
  }
  if (on !== null && on !== model.auto_renew) switchRenewal(model, on, now)
  else if (isOther && model.auto_renew && watch && watch.refusal !== null) model.jobs.set('renew', now)
}

export const switchTo = ({ lane, people, hostId, model }: Life, on: boolean) => ({
  name: `switch ${on ? 'on' : 'off'}`,
  ask: () => call(lane.world, people.owner, updateHost, { params: { hostId }, body: { auto_renew: on } }),
  apply(clock: Clock) {
    switchRenewal(model, on, clock.now)
    return undefined
  },
})
