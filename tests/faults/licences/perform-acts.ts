import { randomUUID } from 'node:crypto'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import { reissueInvoice } from '#features/invoices/server/invoices.ts'
import { editPlan } from '#features/licences/server/catalogue.ts'
import { changeEdition, resume, suspend } from '#features/licences/server/licences.ts'
import * as payers from '#features/payers/contract.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import type { Act } from './acts.ts'
import { doBulk } from './bulk.ts'
import { fall, rise } from './debts.ts'
import { perform, refusing, type Step, type Life } from './life.ts'
import {
  credit,
  DAY,
  nearest,
  priceAt,
  planOf,
  withVat,
  type Model,
  type Period,
  type Sale,
  type Side,
} from './model.ts'
import { jump, lengthOf } from './passing.ts'
import { payOutOf } from './pay-outs.ts'
import { doUpgrade, order, planEnd, planNamed, switchTo } from './purchases.ts'
import { endRefunded, switchRenewal } from './renewals.ts'
import { transfer } from './transfers.ts'
import { tryPlan } from './trials.ts'
import { call, RATES } from './world.ts'

/** Performs one act, in the product and in the model. */
export async function live(life: Life, act: Act): Promise<void> {
  switch (act.act) {
    case 'order':
      return order(life, act)
    case 'upgrade':
      return doUpgrade(life, act)
    case 'plan at the end':
      return planEnd(life, act)
    case 'bulk':
      return doBulk(life, act)
    case 'wait':
      return wait(life, act)
    default: {
      const step = stepOf(life, act)
      return step && perform(life, step)
    }
  }
}

type Priced = 'order' | 'upgrade' | 'plan at the end' | 'bulk' | 'wait'

function stepOf(life: Life, act: Exclude<Act, { act: Priced }>): Step | undefined {
  switch (act.act) {
    case 'trial':
      return tryPlan(life, act.plan)
    case 'switch':
      return switchTo(life, act.on)
    case 'refund':
      return refund(life, act)
    case 'reissue':
      return reissue(life, act)
    case 'top up':
      return topUp(life, act.side, BigInt(act.amount))
    case 'charge back':
      return chargeBack(life, act)
    case 'pay out':
      return payOutOf(life, act)
    case 'agree':
      return agree(life, act)
    case 'limit':
      return setLimit(life, act.limit)
    case 'end agreement':
      return endAgreement(life, act)
    case 'price':
      return setPrice(life, act)
    case 'edition':
      return changeAllowed(life, act)
    case 'suspend':
      return suspension(life, true)
    case 'resume':
      return suspension(life, false)
    case 'transfer':
      return transfer(life)
    default:
      return act satisfies never
  }
}

async function wait(life: Life, act: Extract<Act, { act: 'wait' }>): Promise<void> {
  const { lane, model, host_id, people } = life
  const who = { host_id, owner_id: people.owner.user_id, payer_id: people.payer.user_id }
  await jump(lane, model, who, lengthOf(model, act))
  await perform(life, { name: 'wait', ask: async () => ({ status: 200 }), apply: () => undefined })
}

const saleAt = ({ model: { periods } }: Life, which: number): Sale | undefined =>
  sold(periods)[which % Math.max(1, sold(periods).length)]?.sale

const sold = (periods: readonly Period[]) => periods.filter(({ kind }) => kind !== 'trial')

function refund(life: Life, { which, share }: Extract<Act, { act: 'refund' }>): Step | undefined {
  const { model, lane, people } = life
  const { app } = lane.world.test
  const sale = saleAt(life, which)
  if (!sale) return undefined
  const amount = (sale.left.total * BigInt(share) + 99n) / 100n
  const { transaction_id, buyer } = sale
  const { user_id } = people[buyer]
  // The model ends what was paid back, whoever has it; the default, by which a next owner keeps it, is shown in debts.test.ts.
  const wanted = { user_id, transaction_id, amount, reason: 'as said', end_for_next_owner: true }
  return {
    name: share === 100 ? 'refund in full' : 'refund in part',
    ask: () => refusing(() => transaction(app, 'system', (tx) => bookRefund(app, tx, wanted))),
    apply({ now }) {
      if (sale.left.total === 0n) return 'not_refundable'
      credit(model, sale, noteFor(sale, amount))
      rise(model, buyer, now)
      if (sale.left.total === 0n) endRefunded(model, sale, now)
      return undefined
    },
  }
}

/** Splits a partial refund into net and VAT by the rate of the sale; neither exceeds the net or the VAT that is left. */
function noteFor({ left, rate_bp }: Sale, amount: bigint) {
  if (amount === left.total) return { ...left }
  const fair = nearest(amount, 10_000n, 10_000n + rate_bp)
  const least = amount - min(amount, left.vat)
  const net = min(fair < least ? least : fair, min(amount, left.net))
  return { net, vat: amount - net, total: amount }
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The rate of an address; if the card that paid is of another country, the highest of both, and of the seller if the address has less. */
function decidedRate(claimed: bigint, paying: bigint): bigint {
  if (claimed === paying) return claimed
  const home = must(RATES['DE'])
  const rates = claimed < home ? [claimed, paying, home] : [claimed, paying]
  return rates.reduce((most, one) => (one > most ? one : most))
}

function reissue(life: Life, { which, country }: Extract<Act, { act: 'reissue' }>): Step | undefined {
  const { model, lane, people } = life
  const { app } = lane.world.test
  const sale = saleAt(life, which)
  if (!sale) return undefined
  const { transaction_id, buyer } = sale
  const { user_id } = people[buyer]
  const address = { street: 'Am Markt 1', apartment: '', zip: '20095', city: 'Hamburg', state: '' }
  const named = { name: 'Anna', company: '', ...address, country, vat_id: '' }
  const wanted = { buyer: named, vat: 'decide', reason: 'as said' } as const
  return {
    name: 'reissue',
    ask: async () => {
      const { rows } = await lane.world.owner.query<{ public_id: string }>(
        `select public_id from invoices where transaction_id = $1 and kind = 'invoice' order by version desc limit 1`,
        [transaction_id],
      )
      const { public_id } = must(rows[0])
      return refusing(() =>
        transaction(app, 'system', (tx) =>
          reissueInvoice(app, tx, { user_id, transaction_id, public_id }, wanted, { by: 'command line' }),
        ),
      )
    },
    apply({ now }) {
      if (sale.left.total === 0n) return 'nothing_left'
      const rate_bp = decidedRate(RATES[country] ?? 0n, model[buyer].rate_bp)
      const after = rate_bp === sale.rate_bp ? sale.left : withVat(sale.left.net, rate_bp)
      const back = sale.left.total - after.total
      if (back < 0n) return 'total_would_rise'
      credit(model, sale, { net: 0n, vat: back, total: back })
      sale.left = { ...after }
      sale.rate_bp = rate_bp
      if (back > 0n) rise(model, buyer, now)
      return undefined
    },
  }
}

function topUp({ model, lane, people }: Life, side: Side, amount: bigint): Step {
  return {
    name: `top up of the ${side}`,
    ask: async () => ({
      status: 200,
      body: await addMoney(lane.world.test.app, people[side].user_id, amount),
    }),
    apply({ now }, { body }) {
      const { transaction_id } = body as { transaction_id: string }
      model[side].balance += amount
      model[side].payments.push({ id: transaction_id, left: amount })
      rise(model, side, now)
      return undefined
    },
  }
}

function chargeBack(
  life: Life,
  { side, which, share }: Extract<Act, { act: 'charge back' }>,
): Step | undefined {
  const { model, lane, people } = life
  const open = model[side].payments.filter(({ left }) => left > 0n)
  const payment = open[which % Math.max(1, open.length)]
  if (!payment) return undefined
  const amount = (payment.left * BigInt(share) + 99n) / 100n
  const description = { code: 'charge_back', params: { provider: 'test' } } as const
  const { user_id } = people[side]
  const back = {
    type: 'charge_back',
    user_id,
    amount,
    description,
    provider: 'test',
    reverses: payment.id,
  } as const
  return {
    name: `charge back of the ${side}`,
    ask: async () => ({ status: 200, body: await move(lane.world.test.app, back) }),
    apply({ now }) {
      payment.left -= amount
      model[side].balance -= amount
      fall(model, side, now)
      return undefined
    },
  }
}

function agree(life: Life, { pays, limit }: Extract<Act, { act: 'agree' }>): Step {
  const { model, lane, people, hostId } = life
  const month_limit = limit === null ? null : String(limit)
  return {
    name: 'agree',
    async ask() {
      // Two accounts have at most one agreement, so agreements that lost their server end first.
      for (const agreementId of model.without_server.splice(0))
        await call(lane.world, people.owner, payers.deleteAgreement, { params: { agreementId }, query: {} })
      const body = {
        email: people.payer.email,
        side: 'owner' as const,
        all_hosts: false,
        host_ids: [hostId],
        pays,
        month_limit,
      }
      const headers = { 'idempotency-key': randomUUID() }
      const asked = await call(lane.world, people.owner, payers.createAgreement, { headers, body })
      if (asked.status !== 201) return asked
      const { id, version } = asked.body as payers.Agreement
      return call(lane.world, people.payer, payers.acceptAgreement, {
        params: { agreementId: id },
        body: { version },
      })
    },
    apply(_clock, { body }) {
      if (model.agreement) return 'host_has_payer'
      const { id, version } = body as payers.Agreement
      model.spent.set(id, 0n)
      model.agreement = { id, pays, limit: limit === null ? null : BigInt(limit), version }
      return undefined
    },
  }
}

function setLimit({ model, lane, people }: Life, limit: number | null): Step | undefined {
  const { agreement } = model
  if (!agreement) return undefined
  const body = { month_limit: limit === null ? null : String(limit), version: agreement.version }
  return {
    name: 'limit',
    ask: () =>
      call(lane.world, people.payer, payers.updateAgreement, { params: { agreementId: agreement.id }, body }),
    apply(_clock, answer) {
      agreement.limit = limit === null ? null : BigInt(limit)
      agreement.version = (answer.body as payers.Agreement).version
      return undefined
    },
  }
}

function endAgreement(
  { model, lane, people }: Life,
  { side, keeps }: Extract<Act, { act: 'end agreement' }>,
): Step | undefined {
  const { agreement } = model
  if (!agreement) return undefined
  const query = side === 'owner' && keeps ? ({ renewals: 'own_balance' } as const) : {}
  return {
    name: `end by the ${side}`,
    ask: () =>
      call(lane.world, people[side], payers.deleteAgreement, {
        params: { agreementId: agreement.id },
        query,
      }),
    apply({ now }) {
      if (!(side === 'owner' && keeps)) switchRenewal(model, false, now)
      model.agreement = null
      return undefined
    },
  }
}

function setPrice(life: Life, { plan: place, net: amount, days }: Extract<Act, { act: 'price' }>): Step {
  const { model, lane } = life
  const plan = planNamed(life, place)
  const net = BigInt(amount)
  const from = days === null ? undefined : new Date(Date.now() + days * DAY)
  return {
    name: 'price',
    ask: () =>
      refusing(() =>
        transaction(lane.world.test.app, 'system', (tx) => editPlan(tx, plan, { price_net: net, from })),
      ),
    apply({ now }) {
      addPrice(model, plan, net, now, from?.getTime())
      return undefined
    },
  }
}

/** Adds a price; a rise counts for renewals 30 days later than for orders. */
function addPrice(model: Model, slug: string, net: bigint, now: number, from = now): void {
  const plan = planOf(model, slug)
  const isRise = net > priceAt(plan, 'renewals_from', from)
  plan.prices.push({ net, from, renewals_from: isRise ? from + 30 * DAY : from })
}

function changeAllowed(
  { model, lane }: Life,
  { edition: place, key, value }: Extract<Act, { act: 'edition' }>,
): Step {
  const edition = must([...model.editions.values()][place])
  const { [key]: _before, ...others } = edition.entitlements
  const entitlements = value === null ? others : { ...others, [key]: value }
  return {
    name: 'edition',
    ask: () =>
      refusing(() =>
        transaction(lane.world.test.app, 'system', (tx) =>
          changeEdition(tx, edition.slug, { entitlements }, { by: 'command line' }),
        ),
      ),
    apply() {
      edition.entitlements = entitlements
      return undefined
    },
  }
}

function suspension({ model, lane, hostId }: Life, on: boolean): Step {
  const { app } = lane.world.test
  return {
    name: on ? 'suspend' : 'resume',
    ask: () =>
      refusing(() =>
        on
          ? suspend(app, {}, hostId, { reason: 'other', text: '', note: 'x' })
          : resume(app, {}, hostId, 'x'),
      ),
    apply({ now }) {
      if (on === (model.suspended !== null)) return on ? 'already_suspended' : 'not_suspended'
      model.suspended = on ? 'staff' : null
      if (!on && model.watch && model.watch.refusal !== null) model.jobs.set('renew', now)
      return undefined
    },
  }
}
