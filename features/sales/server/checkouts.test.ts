import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { confirmTopUp, getFinances, listWaitingTransfers } from '#features/finance/contract.ts'
import { rejectTransfer } from '#features/customers/contract.ts'
import { deleteHost, listHosts } from '#features/hosts/contract.ts'
import { editPlan } from '#features/licences/server/catalogue.ts'
import { suspendHost } from '#features/licences/contract.ts'
import * as contract from '#features/sales/checkouts.ts'
import { previewUpgrade } from '#features/sales/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { becomeReader } from '#foundation/server/account-events/account-events.ts'
import { eventsOf } from '#tests/harness/account-events.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { helperOf, endGrant, programOf } from '#tests/harness/grants.ts'
import { addHost, asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { addMoney } from '#tests/harness/money.ts'
import {
  beginCheckout,
  begunCheckout,
  checkoutState,
  movementsOf,
  paymentEvent,
  postPayment,
} from '#tests/harness/payments.ts'
import {
  anyAddress,
  buyer,
  goods,
  orderHost,
  orderLicence,
  sellLarge,
  stockShop,
} from '#tests/harness/shop.ts'
import { passTimeIn } from '#tests/harness/passing-time.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { expireCheckouts } from './checkout-money.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
await sellLarge(test)
const PRICE = goods['standard-month'].total
const shown = toMoney(PRICE, 'EUR')

const pay = (id: string) => postPayment(test, paymentEvent(id, 'paid'))
const serversOf = async ({ api }: Pick<Customer, 'api'>) =>
  bodyOf(await api.call(listHosts, { query: {} }), 200).items
const balanceOf = async ({ api }: Pick<Customer, 'api'>) =>
  bodyOf(await api.call(getFinances, {}), 200).balance.amount
it('an order whose balance is short is paid by what lacks, and done by the event that books the money', async () => {
  const customer = await buyer(test, 500n)
  const checkout = await begunCheckout(customer)
  expect(checkout).toMatchObject({
    state: 'open',
    total: shown,
    top_up: {
      amount: toMoney(PRICE - 500n, 'EUR'),
      redirect_url: `/dev/pay/${checkout.id}`,
      status: 'pending',
    },
  })
  expect(await serversOf(customer)).toEqual([])
  expect(await pay(checkout.id)).toBe(200)
  const [server] = await serversOf(customer)
  expect(await checkoutState(customer, checkout.id)).toMatchObject({
    state: 'done',
    host_id: server?.id,
    refusal: null,
    top_up: { status: 'paid', redirect_url: null },
  })
  expect(server?.licence.status).toBe('active')
  expect(await movementsOf(customer)).toEqual([
    'fill_balance 500',
    `fill_balance ${PRICE - 500n}`,
    `spend -${PRICE}`,
  ])
  expect(await mistakesIn(test)).toEqual([])
})

it('refuses before the payment whatever would refuse the order, and writes nothing', async () => {
  const customer = await buyer(test, 500n)
  const ipv4 = anyAddress()
  bodyOf(await orderHost(await buyer(test, PRICE), { ipv4 }), 201)
  const stranger = await addHost((await buyer(test, 0n)).api, { name: 'theirs', ipv4: anyAddress() })
  const refused = async (more: Parameters<typeof beginCheckout>[1]) => {
    const { status, body } = await beginCheckout(customer, more)
    return `${status} ${(body as unknown as { errors: { code: string }[] }).errors[0]?.code}`
  }
  expect(await refused({ expected_total: toMoney(PRICE - 1n, 'EUR') })).toBe('409 price_changed')
  expect(await refused({ ipv4 })).toBe('409 ipv4_licensed')
  expect(await refused({ plan: 'no-such' })).toBe('400 unknown_plan')
  expect(await refused({ for: 'renewal', host_id: stranger.id })).toBe('404 not_found')
  expect(await refused({ for: 'upgrade', host_id: stranger.id })).toBe('404 not_found')
  expect(await refused({ for: 'renewal' })).toBe('400 required')
  expect(await refused({ amount: '500' })).toBe('400 invalid')
  expect(await refused({ provider: 'stripe' })).toBe('400 provider_not_offered')
  expect(await refused({ expected_payment: shown })).toBe('409 payment_changed')
  await addMoney(test.app, customer.user_id, PRICE)
  expect(await refused({})).toBe('409 balance_suffices')
  expect(await serversOf(customer)).toEqual([])
  const written = await asOwner(test, 'select from top_ups where user_id = $1', [customer.user_id])
  expect(written).toEqual([])
  expect(await movementsOf(customer)).toHaveLength(2)
})

it('asks for the smallest top-up where less lacks, and keeps the rest on the balance; a key begins one checkout', async () => {
  const customer = await buyer(test, PRICE - 1n)
  const wish = { key: randomUUID(), ipv4: anyAddress() }
  const checkout = await begunCheckout(customer, wish)
  expect(checkout.top_up.amount.amount).toBe('500')
  expect(await begunCheckout(customer, wish)).toEqual(checkout)
  expect(await beginCheckout(customer, { ...wish, ipv4: anyAddress() })).toMatchObject({ status: 422 })
  // The process ended between the commit and the answer of the provider.
  await asOwner(test, 'update top_ups set redirect_url = null where public_id = $1', [checkout.id])
  const goOn = () => customer.api.call(contract.continueCheckout, { params: { id: checkout.id } })
  expect(bodyOf(await goOn(), 200)).toEqual(checkout)
  await pay(checkout.id)
  expect(await balanceOf(customer)).toBe('499')
  expect(await goOn()).toMatchObject({ status: 409, body: refusal(409, 'checkout_not_open') })
})

/** The mail about an order that was not done, which comes beside those about the money. */
async function toldTo(customer: Customer): Promise<{ text?: string | undefined }> {
  const mail = await test.mails.next(customer.email)
  return mail.subject?.includes('the order wasn’t possible') ? mail : toldTo(customer)
}

const why = async (customer: Customer, id: string) => {
  await pay(id)
  const { state, refusal: code, top_up } = await checkoutState(customer, id)
  const { text } = await toldTo(customer)
  expect(text).toContain('Nothing was ordered.')
  expect(text).toContain(`/account/finances?checkout=${id}`)
  return { state, code, paid: top_up.status }
}

it('rule 61: an order that cannot be done any more leaves the money on the balance, and says why', async () => {
  const paid = { state: 'failed', paid: 'paid' }
  const taken = await buyer(test, 0n)
  const ipv4 = anyAddress()
  const first = await begunCheckout(taken, { ipv4 })
  bodyOf(await orderHost(await buyer(test, PRICE), { ipv4 }), 201)
  expect(await why(taken, first.id)).toEqual({ ...paid, code: 'ipv4_licensed' })
  expect(await movementsOf(taken)).toEqual([`fill_balance ${PRICE}`])
  expect(await serversOf(taken)).toEqual([])

  const priced = await buyer(test, 0n)
  const second = await begunCheckout(priced)
  const costs = (price_net: bigint) =>
    transaction(test.app, 'system', (tx) => editPlan(tx, 'standard-month', { price_net }))
  await costs(1991n)
  expect(await why(priced, second.id)).toEqual({ ...paid, code: 'price_changed' })
  await costs(1990n)

  const owner = await buyer(test, 0n)
  const [gone, stopped, renewed] = [
    await addHost(owner.api, { name: 'gone', ipv4: anyAddress() }),
    await addHost(owner.api, { name: 'stopped', ipv4: anyAddress() }),
    await addHost(owner.api, { name: 'renewed', ipv4: anyAddress() }),
  ]
  const of = async ({ id: host_id }: { id: string }) =>
    (await begunCheckout(owner, { for: 'renewal', host_id })).id
  const ids = [await of(gone), await of(stopped), await of(renewed), await of(renewed)] as const
  await owner.api.call(deleteHost, { params: { hostId: gone.id }, query: { name: 'gone' } })
  const staff = await signedInStaff(test)
  const body = { reason: 'abuse', note: 'Report 17' } as const
  bodyOf(await staff.api.call(suspendHost, { params: { hostId: stopped.id }, body }), 201)
  expect(await why(owner, ids[0])).toEqual({ ...paid, code: 'not_found' })
  expect(await why(owner, ids[1])).toEqual({ ...paid, code: 'host_suspended' })
  // Both are for one more term from the same end: the second would pay for a term that nobody wanted.
  await pay(ids[2])
  expect(await checkoutState(owner, ids[2])).toMatchObject({ state: 'done', host_id: renewed.id })
  expect(await why(owner, ids[3])).toEqual({ ...paid, code: 'already_renewed' })
  expect(await balanceOf(owner)).toBe(String(3n * PRICE))
  expect(await mistakesIn(test)).toEqual([])
})

it('O-12 programs read that an order waits and how it ended, and nothing of an order that was undone', async () => {
  const customer = await buyer(test, 0n)
  const { user_id } = customer
  await becomeReader(test.app, user_id)
  const ipv4 = anyAddress()
  const [done, undone] = [await begunCheckout(customer), await begunCheckout(customer, { ipv4 })]
  await pay(done.id)
  const money = ['top_up.succeeded', 'transaction.created']
  const sold = ['host.created', 'licence.ordered', 'invoice.issued', 'transaction.created', 'checkout.ended']
  const told = async () => (await eventsOf(test, user_id)).map(({ type }) => type)
  const before = ['checkout.opened', 'checkout.opened', ...money, ...sold]
  expect((await told()).toSorted()).toEqual(before.toSorted())
  bodyOf(await orderHost(await buyer(test, PRICE), { ipv4 }), 201)
  await pay(undone.id)
  expect((await told()).slice(before.length).toSorted()).toEqual(['checkout.ended', ...money].toSorted())
  const last = (await eventsOf(test, user_id)).findLast(({ type }) => type === 'checkout.ended')
  expect(last?.data).toEqual(await checkoutState(customer, undone.id))
})

it('an order by hand in between is not done a second time', async () => {
  const customer = await buyer(test, 0n)
  const host = await addHost(customer.api, { name: 'by-hand', ipv4: anyAddress() })
  const { id } = await begunCheckout(customer, { for: 'renewal', host_id: host.id })
  await addMoney(test.app, customer.user_id, PRICE)
  bodyOf(await orderLicence(customer, host.id), 201)
  await pay(id)
  expect(await checkoutState(customer, id)).toMatchObject({ state: 'failed', refusal: 'already_renewed' })
  expect(await balanceOf(customer)).toBe(String(PRICE))
})

it('money for a cancelled or expired order stays on the balance, whatever order the events come in', async () => {
  const customer = await buyer(test, 0n)
  const cancel = (id: string) => customer.api.call(contract.cancelCheckout, { params: { id } })
  const [cancelled, expired, reversed, failed] = [
    await begunCheckout(customer),
    await begunCheckout(customer),
    await begunCheckout(customer),
    await begunCheckout(customer),
  ]
  expect(bodyOf(await cancel(cancelled.id), 200).state).toBe('cancelled')
  expect(bodyOf(await cancel(cancelled.id), 200)).toMatchObject({
    state: 'cancelled',
    top_up: { status: 'cancelled' },
  })
  await pay(cancelled.id)
  expect((await checkoutState(customer, cancelled.id)).state).toBe('cancelled')
  await asOwner(test, `update checkouts set expires_at = now() where public_id = $1`, [expired.id])
  expect((await checkoutState(customer, expired.id)).state).toBe('expired')
  await pay(expired.id)
  expect(await checkoutState(customer, expired.id)).toMatchObject({ state: 'expired', refusal: 'late' })
  await postPayment(test, paymentEvent(reversed.id, 'charged_back'))
  await pay(reversed.id)
  expect(await checkoutState(customer, reversed.id)).toMatchObject({ refusal: 'payment_reversed' })
  expect(await serversOf(customer)).toEqual([])
  // A provider may tell of a payment that succeeded after one that failed.
  await postPayment(test, paymentEvent(failed.id, 'failed'))
  expect(await checkoutState(customer, failed.id)).toMatchObject({
    state: 'failed',
    refusal: 'payment_failed',
  })
  expect(await cancel(failed.id)).toMatchObject({ status: 409, body: refusal(409, 'checkout_not_open') })
  await pay(failed.id)
  await postPayment(test, paymentEvent(failed.id, 'failed'))
  expect((await checkoutState(customer, failed.id)).state).toBe('done')
  expect(await cancel(failed.id)).toMatchObject({ status: 409 })
  expect(await serversOf(customer)).toHaveLength(1)
  expect(await balanceOf(customer)).toBe(String(2n * PRICE))
})

/** A customer with a server, who begins to pay for its upgrade. */
async function upgrading() {
  const customer = await buyer(test, PRICE)
  const { host } = bodyOf(await orderHost(customer), 201)
  const params = { hostId: host.id }
  const wish = { plan: 'large-month', scope: 'all' } as const
  const { pay_now, as_of } = bodyOf(await customer.api.call(previewUpgrade, { params, body: wish }), 200)
  const order = { for: 'upgrade', host_id: host.id, ...wish, expected_total: pay_now, as_of } as const
  const checkout = await begunCheckout(customer, order)
  expect(checkout.top_up.amount).toEqual(pay_now)
  return { customer, checkout, host }
}

it('an upgrade is paid by what lacks, and costs at most what was shown, however late the money comes', async () => {
  const { customer, checkout, host } = await upgrading()
  await passTimeIn(test.app.ownerUrl, 3, host.id)
  await asOwner(
    test,
    `update checkouts set params = params || jsonb_build_object('as_of', now() - interval '3 days')`,
    [],
  )
  await pay(checkout.id)
  expect(await checkoutState(customer, checkout.id)).toMatchObject({ state: 'done', host_id: host.id })
  expect((await serversOf(customer))[0]?.licence.plan?.slug).toBe('large-month')
  const dearer = await upgrading()
  const costs = (price_net: bigint) =>
    transaction(test.app, 'system', (tx) => editPlan(tx, 'large-month', { price_net }))
  await costs(4100n)
  await pay(dearer.checkout.id)
  await costs(4000n)
  expect(await checkoutState(dearer.customer, dearer.checkout.id)).toMatchObject({
    state: 'failed',
    refusal: 'price_changed',
  })
  expect(await mistakesIn(test)).toEqual([])
})

it('an order by bank transfer waits 14 days for its money, and is done when staff confirm that it came', async () => {
  const customer = await buyer(test, 0n)
  const checkout = await begunCheckout(customer, { provider: 'bank' })
  expect(checkout.top_up.bank?.reference).toMatch(/^HD-/)
  expect(Date.parse(checkout.expires_at) - Date.parse(checkout.created_at)).toBe(14 * 86_400_000)
  expect(bodyOf(await customer.api.call(contract.listCheckouts, { query: {} }), 200).items).toEqual([
    checkout,
  ])
  expect(bodyOf(await customer.api.call(listWaitingTransfers, { query: {} }), 200).items).toEqual([])
  const staff = await signedInStaff(test)
  const confirming = {
    params: { userId: customer.user_id, id: checkout.id },
    headers: { 'idempotency-key': randomUUID() },
    body: { reason: 'on the statement' },
  }
  bodyOf(await staff.api.call(confirmTopUp, confirming), 201)
  expect((await checkoutState(customer, checkout.id)).state).toBe('done')
  expect(bodyOf(await customer.api.call(contract.listCheckouts, { query: {} }), 200).items).toEqual([])
})

it('an order whose transfer does not come in time ends with a mail, and one that staff reject with its transfer', async () => {
  const customer = await buyer(test, 0n)
  const { id } = await begunCheckout(customer, { provider: 'bank' })
  const rejected = await begunCheckout(customer, { provider: 'bank' })
  await asOwner(test, `update checkouts set expires_at = now() where public_id = $1`, [id])
  await expireCheckouts(test.app)
  const ended = await asOwner(
    test,
    `select state, ended_at is not null as over from checkouts where public_id = $1`,
    [id],
  )
  expect(ended).toEqual([{ state: 'expired', over: true }])
  const mails = [1, 2, 3].map(() => test.mails.next(customer.email))
  expect((await Promise.all(mails)).map(({ subject }) => subject)).toContain('Your order has expired')
  const staff = await signedInStaff(test)
  const params = { userId: customer.user_id, id: rejected.id }
  bodyOf(await staff.api.call(rejectTransfer, { params, body: { reason: 'never came' } }), 200)
  expect(await checkoutState(customer, rejected.id)).toMatchObject({
    state: 'failed',
    refusal: 'payment_failed',
  })
})

it('O-03 helpers and tokens check out within their limit, which counts when the money comes', async () => {
  const owner = await buyer(test, 0n)
  const limit = String(PRICE + 5n)
  for (const helping of [
    await helperOf(test, owner, { role: 'billing', month_limit: limit }),
    await programOf(test, owner, { role: 'full', month_limit: limit }),
  ]) {
    const host = await addHost(owner.api, { name: 'helped', ipv4: anyAddress() })
    const wish = { for: 'renewal', host_id: host.id } as const
    const [one, two] = [
      await begunCheckout(helping, wish, owner.user_id),
      await begunCheckout(helping, { name: 'other' }, owner.user_id),
    ]
    await pay(one.id)
    await pay(two.id)
    expect((await checkoutState(owner, one.id)).state).toBe('done')
    expect(await checkoutState(owner, two.id)).toMatchObject({
      state: 'failed',
      refusal: 'helper_limit_reached',
    })
    expect(await beginCheckout(helping, {}, owner.user_id)).toMatchObject({
      status: 402,
      body: refusal(402, 'helper_limit_reached'),
    })
    const spent = await asOwner(
      test,
      `select detail->>'by' as by from audit where act = 'grant.spent' and detail->>'grant_id' = $1`,
      [helping.grantId],
    )
    expect(spent).toEqual([{ by: helping.user_id }])
    await asOwner(test, 'delete from checkouts where user_id = $1', [owner.user_id])
    // The money of the second one is spent, so that the next round lacks all again.
    bodyOf(await orderHost(owner), 201)
  }
  const leaving = await helperOf(test, owner, { role: 'billing' })
  const last = await begunCheckout(leaving, {}, owner.user_id)
  await endGrant(owner, leaving.grantId)
  await pay(last.id)
  expect(await checkoutState(owner, last.id)).toMatchObject({ refusal: 'not_allowed_for_role' })
  expect(await balanceOf(owner)).toBe(String(PRICE))
  expect(await mistakesIn(test)).toEqual([])
})

it('a deleted account orders nothing more, and forgets what was typed; its money waits for staff', async () => {
  const customer = await buyer(test, 0n)
  const { id } = await begunCheckout(customer)
  await leave(customer)
  expect(await asOwner(test, 'select from checkouts where user_id = $1', [customer.user_id])).toEqual([])
  await pay(id)
  expect(
    await asOwner(test, `select cause from unbooked_events where user_id = $1`, [customer.user_id]),
  ).toEqual([{ cause: 'account_closed' }])
})
