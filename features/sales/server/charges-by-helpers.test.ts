import { randomUUID } from 'node:crypto'
import { afterAll, expect, it, vi } from 'vitest'
import { providerCalled } from '#features/finance/server/finance.ts'
import { removeMethod } from '#features/methods/contract.ts'
import * as contract from '#features/sales/checkouts.ts'
import { listGrants } from '#features/sharing/contract.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { helperOf, programOf } from '#tests/harness/grants.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { savedMethod } from '#tests/harness/methods.ts'
import { checkoutState, movementsOf, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import {
  anyAddress,
  doLicenceJobs,
  goods,
  orderHost,
  orderLicence,
  passTime,
  stockShop,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { addMoney } from '#tests/harness/money.ts'
import { expireCheckouts } from './checkout-money.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const PRICE = goods['standard-month'].total
const expected_total = { amount: String(PRICE), currency: 'EUR' }
const LIMIT = String(PRICE + 5n)
const reached = { status: 402, body: refusal(402, 'helper_limit_reached') }
const denied = { status: 403, body: refusal(403, 'not_allowed_for_role') }

const newServer = () => ({ for: 'order', name: 'by-card', ipv4: anyAddress() })

const checkOut = (
  { api }: Pick<Customer, 'api'>,
  method: string,
  owner?: Customer,
  of: object = newServer(),
) =>
  api.post<contract.Checkout>(
    `/api/finances/checkouts/${owner ? `?for=${owner.user_id}` : ''}`,
    { plan: 'standard-month', expected_total, ...of, method },
    { headers: { 'idempotency-key': randomUUID() } },
  )
const begun = async (...given: Parameters<typeof checkOut>) => {
  const { status, body } = await checkOut(...given)
  expect(status).toBe(201)
  return body
}
const payOn = ({ api }: Pick<Customer, 'api'>, id: string, owner: Customer) =>
  api.post(`/api/finances/checkouts/${id}/payment/?for=${owner.user_id}`, undefined)
const cancel = ({ api }: Customer, id: string) =>
  api.call(contract.cancelCheckout, { params: { id } }).then((reply) => bodyOf(reply, 200))

async function limited() {
  const owner = await signedInCustomer(test)
  const method = await savedMethod(test, owner, 'debit')
  const billing = await helperOf(test, owner, { role: 'billing', month_limit: LIMIT })
  return { owner, method, billing }
}

const spentOf = async ({ api }: Customer) =>
  bodyOf(await api.call(listGrants, { query: {} }), 200).items.map(
    ({ spent_this_month: spent }) => spent.amount,
  )
const chargesOf = async ({ user_id }: Customer) =>
  (await asOwner(test, 'select from top_ups where user_id = $1', [user_id])).length

const newestOf = async ({ user_id }: Customer): Promise<string> => {
  const [row] = await asOwner(
    test,
    'select public_id from checkouts where user_id = $1 order by top_up_id desc limit 1',
    [user_id],
  )
  return (row as { public_id: string }).public_id
}
/** Lets minutes pass, and the jobs of this time. */
async function passMinutes(minutes: number): Promise<void> {
  await passTime(test, minutes / 1440)
  await doLicenceJobs(test)
}
afterAll(() => vi.restoreAllMocks())

// Seen red with the limit counted when the money came: all were charged, and one of them ordered.
it('a limit bounds what is charged to the saved method at once, and counts it once', async () => {
  const { owner, method, billing } = await limited()
  const replies = await Promise.all(
    Array.from({ length: 16 }, () => untilAnswered(() => checkOut(billing, method, owner))),
  )
  const [one, ...others] = replies.toSorted((a, b) => a.status - b.status)
  expect(one).toMatchObject({ status: 201, body: { state: 'open' } })
  for (const other of others) expect(other).toMatchObject(reached)
  expect([await chargesOf(owner), await spentOf(owner)]).toEqual([1, [String(PRICE)]])
  const id = String(one?.body.id)
  await postPayment(test, paymentEvent(id, 'paid'))
  expect(await checkoutState(owner, id)).toMatchObject({ state: 'done' })
  expect(await movementsOf(owner)).toEqual([`fill_balance ${PRICE}`, `spend -${PRICE}`])
  expect(await spentOf(owner)).toEqual([String(PRICE)])
  const notes = await asOwner(
    test,
    `select from audit where act = 'grant.spent' and detail->>'grant_id' = $1`,
    [billing.grantId],
  )
  expect(notes).toHaveLength(1)
  expect(await checkOut(billing, method, owner)).toMatchObject(reached)
  expect(await mistakesIn(test)).toEqual([])
}, 60_000)

it('a debit under way keeps its part of the limit though its order is cancelled, and gives it back when it fails', async () => {
  const { owner, method, billing } = await limited()
  const one = await begun(billing, method, owner)
  await cancel(owner, one.id)
  await passMinutes(11)
  expect(await checkOut(billing, method, owner)).toMatchObject(reached)
  for (let times = 0; times < 2; times += 1)
    expect(await postPayment(test, paymentEvent(one.id, 'failed'))).toBe(200)
  expect(await spentOf(owner)).toEqual(['0'])
  const two = await begun(billing, method, owner)
  await postPayment(test, paymentEvent(two.id, 'failed'))
  expect(await checkoutState(owner, two.id)).toMatchObject({ state: 'failed', refusal: 'payment_failed' })
  expect(await spentOf(owner)).toEqual(['0'])
  // A payment that failed and came after all is counted by its order.
  await postPayment(test, paymentEvent(two.id, 'paid'))
  expect(await checkoutState(owner, two.id)).toMatchObject({ state: 'done' })
  expect(await spentOf(owner)).toEqual([String(PRICE)])
}, 60_000)

const ways = {
  cancelled: async ({ owner, id }: { owner: Customer; id: string }) => void (await cancel(owner, id)),
  expired: async ({ id }: { id: string }) => {
    await asOwner(test, 'update checkouts set expires_at = now() where public_id = $1', [id])
    await expireCheckouts(test.app)
  },
}

// Seen red with each cancelled charge counted until the provider tells of it, which it does of none that it has not made.
it.each(Object.entries(ways))(
  'a checkout that is %s gives its part of the limit back where the provider has made no charge, once no call can be under way',
  async (_how, end) => {
    const { owner, method, billing } = await limited()
    const charge = vi.spyOn(providerCalled('test'), 'charge').mockRejectedValueOnce(new Error('away'))
    expect((await checkOut(billing, method, owner)).status).toBe(503)
    charge.mockRestore()
    await end({ owner, id: await newestOf(owner) })
    await passMinutes(9)
    expect(await checkOut(billing, method, owner)).toMatchObject(reached)
    await passMinutes(2)
    expect(await spentOf(owner)).toEqual(['0'])
    await begun(billing, method, owner)
    await passMinutes(11)
    expect(await spentOf(owner)).toEqual([String(PRICE)])
  },
  60_000,
)

it('a cancelled checkout whose charge waits for its holder gives its part back when the provider has ended the charge', async () => {
  const { owner, billing } = await limited()
  const one = await begun(billing, await savedMethod(test, owner, 'asks'), owner)
  await cancel(owner, one.id)
  const ended = { state: 'declined', reference: one.id, reason: '', isFinal: false, url: null } as const
  vi.spyOn(providerCalled('test'), 'endCharge').mockResolvedValueOnce(ended)
  await passMinutes(11)
  expect(await spentOf(owner)).toEqual(['0'])
  // Money that comes all the same stays on the balance, and orders nothing.
  await postPayment(test, paymentEvent(one.id, 'paid'))
  expect(await movementsOf(owner)).toEqual([`fill_balance ${PRICE}`])
}, 60_000)

it('a cancelled checkout whose method is removed counts on: its provider cannot be asked any more', async () => {
  const { owner, method, billing } = await limited()
  const one = await begun(billing, method, owner)
  await cancel(owner, one.id)
  bodyOf(await owner.api.call(removeMethod, { params: { methodId: method } }), 204)
  await passMinutes(11)
  expect(await spentOf(owner)).toEqual([String(PRICE)])
}, 60_000)

it('a charge whose order is refused, when its money comes, counts all the same', async () => {
  const { owner, method, billing } = await limited()
  await addMoney(test.app, owner.user_id, PRICE)
  const { host } = bodyOf(await orderHost(owner), 201)
  const one = await begun(billing, method, owner, { for: 'renewal', host_id: host.id })
  await addMoney(test.app, owner.user_id, PRICE)
  bodyOf(await orderLicence(owner, host.id), 201)
  await postPayment(test, paymentEvent(one.id, 'paid'))
  expect(await checkoutState(owner, one.id)).toMatchObject({ state: 'failed', refusal: 'already_renewed' })
  expect(await checkOut(billing, method, owner)).toMatchObject(reached)
  expect(await spentOf(owner)).toEqual([String(PRICE)])
}, 60_000)

it('a checkout of the owner by a saved method is charged again for no program and no helper with a limit', async () => {
  const { owner, billing } = await limited()
  const asks = await savedMethod(test, owner, 'asks')
  const one = await begun(owner, asks)
  const program = await programOf(test, owner, { role: 'billing' })
  for (const other of [program, billing]) expect(await payOn(other, one.id, owner)).toMatchObject(denied)
  const free = await helperOf(test, owner, { role: 'billing' })
  for (const other of [free, owner])
    expect(await payOn(other, one.id, owner)).toMatchObject({ status: 200, body: { state: 'open' } })
  const { body: topUp } = await owner.api.post<contract.Checkout>(
    '/api/finances/checkouts/',
    { for: 'top_up', amount: '2500', method: asks },
    { headers: { 'idempotency-key': randomUUID() } },
  )
  expect(await payOn(free, topUp.id, owner)).toMatchObject(denied)
}, 60_000)
