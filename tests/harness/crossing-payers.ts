import { randomUUID } from 'node:crypto'
import * as bulk from '#features/sales/bulk-orders.ts'
import * as licences from '#features/sales/contract.ts'
import { runRenewalStep, renewTogether } from '#features/sales/server/renew.ts'
import { acceptTransfer, offerTransfer } from '#features/hosts/transfer-contract.ts'
import { deleteHost, updateHost } from '#features/hosts/contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import * as payers from '#features/payers/contract.ts'
import { credit } from '#features/finance/server/finance.ts'
import { refundForOperator } from '#features/sales/server/refund.ts'
import { reissueInvoice } from '#features/invoices/server/invoices.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { isUnavailable } from '#foundation/server/database/unavailable.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { bookTransfers, orderAsHelper, redeemTogether, withdrawAtOnce } from './crossing-ways.ts'
import { helperOf } from './grants.ts'
import { callInProcess, codeOf, newPerson, type Person } from './in-process.ts'
import { addMoney, move, payOut } from './money.ts'
import { passTimeIn } from './passing-time.ts'
import { poolAt } from './pools.ts'
import { anyAddress } from './shop.ts'
import type { TestApp } from './test-app.ts'

/** Two accounts, each of which pays for all servers of the other. */
export type Pair = readonly [Person, Person]
type Test = Pick<TestApp, 'app' | 'client'>
type Host = { id: string; public_id: string; name: string }

const PRICE = toMoney(2368n, 'EUR')
const key = () => ({ 'idempotency-key': randomUUID() })

/** Makes the two accounts with money and servers, each a helper of the other: some that they paid for themselves before the agreements, and some after. */
export async function crossingPair(test: Test): Promise<Pair> {
  const pair = [await newPerson(test), await newPerson(test)] as const
  for (const { user_id } of pair) await addMoney(test.app, user_id, 50_000_000n)
  for (const me of pair) await acts.orderMany(test, me)
  for (const me of pair) await agree(test, me, pair)
  for (const me of pair) await helperOf(test, me, { role: 'full' }, otherThan(me, pair))
  // Each server was paid by its owner, who gets the credit, and is paid by the other from now on: both balances are in one act.
  for (const me of pair) await acts.upgradeMany(test, me)
  for (const me of pair) await acts.orderMany(test, me)
  return pair
}

const otherThan = (me: Person, [one, two]: Pair): Person => (me === one ? two : one)

async function agree({ app }: Test, me: Person, pair: Pair): Promise<string | undefined> {
  const payer = otherThan(me, pair)
  const body = { email: payer.email, side: 'owner', all_hosts: true, pays: 'all' } as const
  const asked = await callInProcess(app, me, payers.createAgreement, { headers: key(), body })
  if (asked.status !== 201) return codeOf(asked)
  const { id: agreementId, version } = asked.body as payers.Agreement
  const params = { agreementId }
  return codeOf(await callInProcess(app, payer, payers.acceptAgreement, { params, body: { version } }))
}

const rows = async <Row>({ app }: Test, text: string, values: unknown[]): Promise<Row[]> =>
  (await poolAt(app.ownerUrl).query(text, values)).rows as Row[]

/** Some servers of an account, in any order: acts for many servers name them in the order of a page. */
const hostsOf = (test: Test, { user_id }: Person, most: number): Promise<Host[]> =>
  rows(
    test,
    `select id::text, public_id, name from hosts where user_id = $1 and deleted_at is null
    order by random() limit $2`,
    [user_id, most],
  )

/** Returns the days until half a day before a paid month ends, when it is renewed: months have 28 to 31 days. */
async function untilRenewal(test: Test, { public_id }: Host): Promise<number> {
  const [month] = await rows<{ days: number }>(
    test,
    `select extract(epoch from paid_until - now())::float8 / 86400 - 0.5 as days from hosts
    where public_id = $1 and paid_until between now() + interval '27 days' and now() + interval '32 days'`,
    [public_id],
  )
  // Eighths of a day move all times of a server by the same whole milliseconds.
  return Math.floor((month?.days ?? 29.5) * 8) / 8
}

const actMany = async (
  { app }: Test,
  me: Person,
  body: { act: 'renew' | 'upgrade' | 'order'; plan: string; host_ids?: string[]; hosts?: { ipv4: string }[] },
) => {
  const seen = await callInProcess(app, me, bulk.previewBulk, { body })
  if (seen.status !== 200) return codeOf(seen)
  const { expected_total, as_of } = seen.body as bulk.BulkPreview
  const wanted = { ...body, expected_total, ...(body.act === 'upgrade' && { as_of }) }
  return codeOf(await callInProcess(app, me, bulk.orderBulk, { headers: key(), body: wanted }))
}

const idsOf = (hosts: readonly Host[]) => hosts.map(({ public_id }) => public_id)

type Act = (test: Test, me: Person, pair: Pair) => Promise<string | undefined>

/** The acts that lock balances or agreements, each done by one of the two. Returns the code of a refusal; undefined for success. */
const acts = {
  order: async ({ app }, me) =>
    codeOf(
      await callInProcess(app, me, licences.orderHost, {
        headers: key(),
        body: { name: 'new', ipv4: anyAddress(), plan: 'standard-month', expected_total: PRICE },
      }),
    ),
  orderMany: (test, me) => {
    const hosts = [{ ipv4: anyAddress() }, { ipv4: anyAddress() }, { ipv4: anyAddress() }]
    return actMany(test, me, { act: 'order', plan: 'standard-month', hosts })
  },
  renew: async (test, me) => {
    const [host] = await hostsOf(test, me, 1)
    if (!host) return 'no_host'
    return codeOf(
      await callInProcess(test.app, me, licences.orderLicence, {
        params: { hostId: host.public_id },
        headers: key(),
        body: { plan: 'standard-month', expected_total: PRICE },
      }),
    )
  },
  renewMany: async (test, me) => {
    const host_ids = idsOf(await hostsOf(test, me, 3))
    return actMany(test, me, { act: 'renew', plan: 'standard-month', host_ids })
  },
  upgrade: async (test, me) => {
    const [host] = await hostsOf(test, me, 1)
    if (!host) return 'no_host'
    const params = { hostId: host.public_id }
    const wish = { plan: 'large-month', scope: 'all' } as const
    const body = { ...wish, when: 'now' } as const
    const seen = await callInProcess(test.app, me, licences.previewUpgrade, { params, body })
    if (seen.status !== 200) return codeOf(seen)
    const { pay_now: expected_total, as_of } = seen.body as { pay_now: typeof PRICE; as_of: string }
    return codeOf(
      await callInProcess(test.app, me, licences.upgradeLicence, {
        params,
        headers: key(),
        body: { ...wish, expected_total, as_of },
      }),
    )
  },
  upgradeMany: async (test, me) => {
    const host_ids = idsOf(await hostsOf(test, me, 3))
    return actMany(test, me, { act: 'upgrade', plan: 'large-month', host_ids })
  },
  refund: async (test, { user_id }) => {
    const [order] = await rows<{ id: string; transaction_id: string; of: number }>(
      test,
      `select o.id, o.transaction_id,
        (select count(*)::int from licence_orders s where s.transaction_id = o.transaction_id) as of
      from licence_orders o join transactions t on t.id = o.transaction_id where t.user_id = $1 order by random() limit 1`,
      [user_id],
    )
    const { id: order_id, transaction_id, of } = must(order)
    const wanted = { user_id, transaction_id, ...(of > 1 && { order_id }), amount: 1n, reason: 'Test.' }
    return refusalOf(() => transaction(test.app, 'system', (tx) => refundForOperator(test.app, tx, wanted)))
  },
  reissue: async (test, { user_id, actor }) => {
    const [sale] = await rows<{ transaction_id: string; public_id: string }>(
      test,
      `select transaction_id, public_id
      from invoices where user_id = $1 and kind = 'invoice' order by random() limit 1`,
      [user_id],
    )
    const wanted = { buyer: 'profile', vat: 'keep', reason: 'Test.' } as const
    return refusalOf(() =>
      transaction(test.app, 'system', (tx) =>
        reissueInvoice(test.app, tx, { user_id, ...must(sale) }, wanted, { by: actor.user_id }),
      ),
    )
  },
  credit: (test, { user_id }) =>
    refusalOf(() =>
      transaction(test.app, 'system', (tx) =>
        credit(test.app, tx, { user_id, amount: 100n, reason: 'Test.' }),
      ),
    ),
  topUp: (test, { user_id }) => refusalOf(() => addMoney(test.app, user_id, 100n)),
  chargeBack: (test, { user_id }) =>
    refusalOf(async () => {
      const { transaction_id: reverses } = await addMoney(test.app, user_id, 100n)
      const description = { code: 'charge_back', params: { provider: 'test' } } as const
      const booking = { type: 'charge_back', amount: 100n, provider: 'test' } as const
      await move(test.app, { ...booking, user_id, description, reverses })
    }),
  endAndAgree: async (test, me, pair) => {
    const [active] = await rows<{ id: string }>(
      test,
      `select id from payment_agreements
      where owner_id = $1 and state = 'active'`,
      [me.user_id],
    )
    const params = { agreementId: active?.id ?? randomUUID() }
    const query = { renewals: 'own_balance' } as const
    const by = Math.random() < 0.5 ? me : otherThan(me, pair)
    const ended = await callInProcess(test.app, by, payers.deleteAgreement, { params, query })
    return (await agree(test, me, pair)) ?? codeOf(ended)
  },
  give: async (test, me, pair) => {
    const [host] = await hostsOf(test, me, 1)
    if (!host) return 'no_host'
    const to = otherThan(me, pair)
    const offered = await callInProcess(test.app, me, offerTransfer, {
      params: { hostId: host.public_id },
      headers: {},
      body: { email: to.email, name: host.name },
    })
    if (offered.status !== 201) return codeOf(offered)
    const { id: transferId } = offered.body as { id: string }
    return codeOf(await callInProcess(test.app, to, acceptTransfer, { params: { transferId } }))
  },
  remove: async (test, me) => {
    const [host] = await hostsOf(test, me, 1)
    if (!host) return 'no_host'
    const params = { hostId: host.public_id }
    return codeOf(await callInProcess(test.app, me, deleteHost, { params, query: { name: host.name } }))
  },
  // The balance is not given up, so the deletion is refused when it has locked everything: this refusal is what the act is for.
  close: async ({ app }, me) => {
    const code = codeOf(await callInProcess(app, me, deactivate, { body: { email: me.email } }))
    return code === 'balance_left' ? undefined : (code ?? 'closed')
  },
  withdraw: withdrawAtOnce,
  redeem: (test, _me, pair) => redeemTogether(test, pair),
  bookBank: (test, _me, pair) => refusalOf(() => bookTransfers(test, pair)),
  payOut: ({ app }, { user_id }) => refusalOf(() => payOut(app, user_id, 10n)),
  orderForOther: async (test, me, pair) => {
    const [host] = await hostsOf(test, me, 1)
    return host ? orderAsHelper(test, otherThan(me, pair), me, host.public_id) : 'no_host'
  },
  autoRenew: async (test, me, pair) => {
    const due = [...(await hostsOf(test, me, 8)), ...(await hostsOf(test, otherThan(me, pair), 8))]
    const steps = due.map(({ id }) => ({ host_id: id }))
    return refusalOf(async () => {
      for (const step of await renewTogether(test.app, steps)) await runRenewalStep(test.app, step)
    })
  },
} satisfies Record<string, Act>

async function refusalOf(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof HttpError) return error.errors[0]?.code
    if (isUnavailable(error)) return 'unavailable'
    throw error
  }
}

export type Kind = keyof typeof acts
export const kinds = Object.keys(acts) as Kind[]

const oneOf = <T>(all: readonly T[]): T => must(all[Math.floor(Math.random() * all.length)])

/** Draws kinds of acts like cards: each is drawn once, in any order, before one is drawn again. */
export function deckOfKinds(): (count: number) => Kind[] {
  let deck: Kind[] = []
  return (count) =>
    Array.from({ length: count }, () => {
      if (deck.length === 0) deck = [...kinds]
      return must(deck.splice(Math.floor(Math.random() * deck.length), 1)[0])
    })
}

/** Does these acts of the two at once. Returns the acts with the codes of their refusals. */
export async function actAtOnce(
  test: Test,
  pair: Pair,
  chosen: readonly Kind[],
): Promise<[Kind, string | undefined][]> {
  const me = oneOf(pair)
  const [due] = await hostsOf(test, me, 1)
  if (due) {
    await passTimeIn(test.app.ownerUrl, await untilRenewal(test, due), due.public_id)
    await callInProcess(test.app, me, updateHost, {
      params: { hostId: due.public_id },
      body: { auto_renew: true },
    })
  }
  return Promise.all(
    chosen.map(async (kind) => [kind, await acts[kind](test, oneOf(pair), pair)] as const),
  ).then((done) => done.map(([kind, code]) => [kind, code]))
}
