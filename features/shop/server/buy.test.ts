import { expect, it } from 'vitest'
import { signup } from '#features/auth/contract.ts'
import { sweepClaims } from '#features/profile/server/claims.ts'
import { editPlan } from '#features/licences/server/catalogue.ts'
import { addExtra } from '#features/licences/server/licences.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { anyAddress, goods, orderHost, buyer, stockShop } from '#tests/harness/shop.ts'
import { buy, hiddenIn, keyIn, look, pay, post, type Form } from '#tests/harness/strangers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { arrive } from './arrive.ts'

const test = await startTestApp({
  settings: { SHOP: 'on', TRUSTED_PROXIES: '1', PAYMENTS: 'test', RATE_LIMIT_SCALE: '1000' },
})
const { app } = test
await stockShop(test)
const PLAN = 'standard-month'

let count = 0
const stranger = (fields: Form = {}): Form & { email: string } => ({
  email: `buyer-${(count += 1)}@example.com`,
  country: 'DE',
  ipv4: anyAddress(),
  ...fields,
})

/** The things of an address: its accounts, servers that are paid for, money, invoices and payments. */
const stateOf = async (email: string) => {
  const [row] = await asOwner(
    test,
    `with a as (select user_id, verified_at is not null as verified from email_addresses where email = $1)
     select (select count(*)::int from a) as accounts, (select bool_or(verified) from a) as verified,
       (select count(*)::int from hosts h join a using (user_id) where h.paid_until > now()) as servers,
       (select coalesce(sum(b.balance), 0)::text from balances b join a using (user_id)) as balance,
       (select count(*)::int from invoices i join a using (user_id)) as invoices,
       (select count(*)::int from top_ups t join a using (user_id) where t.status = 'paid') as payments`,
    [email],
  )
  return row
}
const bought = { accounts: 1, verified: false, servers: 1, balance: '0', invoices: 1, payments: 1 }

const mailTo = async (email: string, words: string) => (await test.mails.about(email, words)).text ?? ''

it('sells to a stranger: the signed event makes account, order and invoice, and the mail opens them', async () => {
  const typed = stranger()
  const { id, status, location } = await buy(test, PLAN, typed)
  expect([status, location]).toEqual([303, `/buy/pay/${id}?lang=en`])
  expect(await stateOf(typed.email), 'nothing is made before it is paid').toMatchObject({ accounts: 0 })
  const leading = await look(test, location ?? '')
  expect(leading.headers.get('refresh')).toBe(`0;url=/dev/pay/${id}`)
  expect((await look(test, `/buy/thanks/${id}`)).headers.get('refresh')).toBe(`3;url=/buy/thanks/${id}?n=1`)
  expect((await pay(test, id)).location).toBe(`/buy/thanks/${id}`)
  expect(await stateOf(typed.email)).toEqual(bought)
  await transaction(app, 'system', (tx) => arrive(app, tx, { public_id: id }))
  expect(await asOwner(test, 'select state from purchases where public_id = $1', [id])).toEqual([
    { state: 'done' },
  ])
  const thanks = await look(test, `/buy/thanks/${id}`)
  expect(thanks.html).toContain(`An email is on its way to ${typed.email}`)
  expect(thanks.headers.get('refresh')).toBeNull()
  const key = keyIn(await mailTo(typed.email, 'licence is in it'))
  expect((await look(test, `/buy/open/?key=${key}`)).html).toContain(typed.email)
  expect((await post(test, '/buy/open/', { key, password: 'short' })).html).toContain('at least 8 characters')
  const opened = await post(test, '/buy/open/', { key, password: 'a long and good one 77' })
  expect(opened.html).toMatch(/<code>[A-Z\d]{5}(?:-[A-Z\d]{5}){4}<\/code>/)
  expect(opened.html).toContain(typed['ipv4'])
  expect(await stateOf(typed.email)).toEqual({ ...bought, verified: true })
  expect((await look(test, `/buy/open/?key=${key}`)).status, 'a key works once').toBe(404)
  const login = await test.client().post('/api/allauth/app/v1/auth/login', {
    email: typed.email,
    password: 'a long and good one 77',
  })
  expect(login.status).toBe(200)
  expect(await mistakesIn(test)).toEqual([])
})

it('keeps everything typed, with each error beside its field, and orders nothing', async () => {
  const { html, status } = await buy(test, PLAN, {
    email: 'no address',
    country: 'DE',
    ipv4: '1.2.3',
    server: '<b>"x"',
  })
  expect(status).toBe(400)
  expect(html).toContain('value="no address"')
  expect(html).toContain('value="&lt;b&gt;&quot;x&quot;"')
  expect(html).toMatch(/id="email-note">Enter a valid email address/)
  expect(html).toMatch(/id="ipv4-note">Enter correct IPv4/)
  const taken = await buyer(test, 9_000n)
  const ipv4 = anyAddress()
  expect((await orderHost(taken, { ipv4 })).status).toBe(201)
  const again = await buy(test, PLAN, stranger({ ipv4 }))
  expect([again.status, again.id]).toEqual([409, ''])
  expect(again.html).toContain('id="ipv4-note">Another server already has a paid licence')
  // An invoice of more than 250 euros names its buyer.
  await transaction(app, 'system', (tx) => editPlan(tx, 'standard-year', { price_net: 30_000n }))
  const dear = await buy(test, 'standard-year', stranger())
  expect(dear.html).toMatch(/id="city-note">Field is required/)
  const whole = { name: 'Ann', surname: 'Lee', address: 'Road 1', zip: '10115', city: 'Berlin' }
  expect((await buy(test, 'standard-year', stranger(whole))).status).toBe(303)
})

it('is one purchase however often one form is sent, and charges each once, however often its event comes', async () => {
  const typed = stranger()
  const opened = await look(test, `/buy/${PLAN}?lang=en&email=${typed.email}&country=DE`)
  expect(opened.html).toContain(`value="${typed.email}"`)
  const fields = { ...hiddenIn(opened.html), ...typed, act: 'pay' }
  const sent = await Promise.all([1, 2, 3].map(() => post(test, `/buy/${PLAN}?lang=en`, fields)))
  const [first] = new Set(sent.map(({ location }) => location))
  expect(sent.every(({ location }) => location === first)).toBe(true)
  const id = first?.slice('/buy/pay/'.length, -'?lang=en'.length) ?? ''
  const event = paymentEvent(id, 'paid')
  const other = paymentEvent(id, 'paid')
  expect(await Promise.all([event, event, other].map((told) => postPayment(test, told)))).toEqual([
    200, 200, 200,
  ])
  expect(await stateOf(typed.email)).toEqual(bought)
  expect(await mistakesIn(test)).toEqual([])
})

it('rule 61: makes the account, with the money on its balance, where the order cannot be done any more', async () => {
  const [dearer, late, other] = [stranger(), stranger(), stranger()]
  const ids = [await buy(test, PLAN, dearer), await buy(test, PLAN, late), await buy(test, PLAN, other)]
  await asOwner(test, "update purchases set expires_at = now() - interval '1 s' where public_id = $1", [
    ids[1]?.id,
  ])
  // The address of the third is licensed to somebody else before its money comes.
  const rival = await buyer(test, 9_000n)
  expect((await orderHost(rival, { ipv4: other['ipv4'] ?? '' })).status).toBe(201)
  for (const one of ids.slice(1)) expect(await postPayment(test, paymentEvent(one.id, 'paid'))).toBe(200)
  await transaction(app, 'system', (tx) => editPlan(tx, PLAN, { price_net: 2500n }))
  expect(await postPayment(test, paymentEvent(ids[0]?.id ?? '', 'paid'))).toBe(200)
  await transaction(app, 'system', (tx) => editPlan(tx, PLAN, { price_net: goods[PLAN].price_net }))
  for (const { email } of [dearer, late, other]) {
    const kept = { accounts: 1, servers: 0, balance: goods[PLAN].total.toString(), invoices: 0, payments: 1 }
    expect(await stateOf(email)).toMatchObject(kept)
    const key = keyIn(await mailTo(email, 'on the balance of a new account'))
    expect((await post(test, '/buy/open/', { key, password: 'a long and good one 77' })).html).toContain(
      'on your balance',
    )
  }
  expect(await mistakesIn(test)).toEqual([])
})

it('puts nothing into the account of somebody whose address a stranger types, unless its owner says so', async () => {
  const owner = await signedInCustomer(test)
  const before = await stateOf(owner.email)
  const { id, status } = await buy(test, PLAN, stranger({ email: owner.email }))
  expect(status, 'the form answers as it does to anybody').toBe(303)
  expect((await pay(test, id)).location).toBe(`/buy/thanks/${id}`)
  expect(await stateOf(owner.email)).toEqual(before)
  expect((await look(test, `/buy/thanks/${id}`)).html).toContain('An email is on its way')
  const unbooked = await asOwner(
    test,
    "select cause, amount from unbooked_events where done_at is null and provider = 'test'",
  )
  expect(unbooked).toHaveLength(1)
  const key = keyIn(await mailTo(owner.email, 'without signing in'))
  expect((await look(test, `/buy/open/?key=${key}`)).html).toContain('Is this your payment?')
  const taken = await Promise.all([1, 2].map(() => post(test, '/buy/open/', { key })))
  expect(taken.some(({ html }) => html.includes('Your licence'))).toBe(true)
  expect(await stateOf(owner.email)).toMatchObject({
    accounts: 1,
    servers: 1,
    balance: '0',
    invoices: 1,
    payments: 1,
  })
  expect(
    await asOwner(test, "select from unbooked_events where done_at is null and provider = 'test'"),
  ).toEqual([])
  expect(await mistakesIn(test)).toEqual([])
})

// Seen red while the time of the link decided, and not that of the payment.
it('orders what was paid in time when its owner follows the link later, and not what was paid late', async () => {
  const followed = async (paid: 'in time' | 'late') => {
    const owner = await signedInCustomer(test)
    const { id } = await buy(test, PLAN, stranger({ email: owner.email }))
    const end = () => asOwner(test, 'update purchases set expires_at = now() where public_id = $1', [id])
    if (paid === 'late') await end()
    await pay(test, id)
    if (paid === 'in time') await end()
    const key = keyIn(await mailTo(owner.email, 'without signing in'))
    await post(test, '/buy/open/', { key })
    return stateOf(owner.email)
  }
  expect(await followed('in time')).toMatchObject({ servers: 1, balance: '0' })
  expect(await followed('late')).toMatchObject({ servers: 0, balance: goods[PLAN].total.toString() })
  expect(await mistakesIn(test)).toEqual([])
})

it('rule 37: holds the address of a purchase for whoever reads its mails', async () => {
  const typed = stranger()
  const body = { email: typed.email, password: 'squatting on an address 1' }
  // A sign-up that nobody confirmed gives way to the purchase, and a later one gets nothing.
  expect((await test.client().call(signup, { body })).status).toBe(401)
  const { id } = await buy(test, PLAN, typed)
  await pay(test, id)
  expect(await stateOf(typed.email)).toEqual(bought)
  expect((await test.client().call(signup, { body })).status).toBe(401)
  expect(await stateOf(typed.email)).toEqual(bought)
  await asOwner(test, "update email_addresses set claimed_at = now() - interval '40 days' where email = $1", [
    typed.email,
  ])
  await sweepClaims(app)
  expect(await stateOf(typed.email)).toEqual(bought)
  const login = await test.client().post('/api/allauth/app/v1/auth/login', body)
  expect(login.status).toBe(400)
  const asked = await test.client().post('/api/allauth/app/v1/auth/password/request', { email: typed.email })
  expect(asked.status).toBe(200)
  await test.mails.about(typed.email, 'reset=')
})

it('charges what network, address and card say, and asks where the first two differ', async () => {
  const paris = { 'x-forwarded-for': '90.0.0.1' }
  const typed = stranger({ country: 'AT' })
  const asked = await buy(test, PLAN, typed, paris)
  expect(asked.status).toBe(400)
  expect(asked.html).toContain('My address is in Austria')
  // Austrian VAT, 20 %, by an Austrian card: two facts agree.
  const agreed = await buy(test, PLAN, { ...typed, place: 'AT' }, paris)
  await pay(test, agreed.id, 'AT')
  expect(await stateOf(typed.email)).toMatchObject({ servers: 1, balance: '0' })
  // A card of a third country with a higher rate: nothing agrees, so nothing is ordered, and the money is on the balance.
  const hungarian = stranger({ country: 'AT', place: 'AT' })
  await pay(test, (await buy(test, PLAN, hungarian, paris)).id, 'HU')
  expect(await stateOf(hungarian.email)).toMatchObject({ servers: 0, balance: '2388' })
  // Outside of the EU no VAT is due, if the card says so too.
  const american = stranger({ country: 'US', place: 'US' })
  await pay(test, (await buy(test, PLAN, american, paris)).id, 'US')
  expect(await stateOf(american.email)).toMatchObject({ servers: 1, balance: '0' })
  const [{ network } = { network: '' }] = (await asOwner(
    test,
    "select evidence -> 'place' ->> 'network' as network from invoice_snapshots order by invoice_id desc limit 1",
  )) as { network: string }[]
  expect(network).toBe('FR')
})

it('does not take forms of programs, of other sites, or in any number', async () => {
  const robot = await buy(test, PLAN, stranger({ website: 'https://spam.example' }))
  expect(robot.location).toMatch(/^\/buy\/thanks\//)
  const foreign = await buy(test, PLAN, stranger(), { 'sec-fetch-site': 'cross-site' })
  expect([foreign.status, foreign.id]).toEqual([200, ''])
  const strict = await startTestApp({ settings: { SHOP: 'on', PAYMENTS: 'test', TRUSTED_PROXIES: '1' } })
  await stockShop(strict)
  const answers: number[] = []
  for (let sent = 0; sent < 12; sent += 1) answers.push((await buy(strict, PLAN, stranger())).status)
  expect(answers.filter((status) => status === 303)).toHaveLength(10)
  expect(answers.at(-1)).toBe(429)
  // Nor do many networks fill one mailbox.
  const { email } = stranger()
  const filled: number[] = []
  for (let sent = 0; sent < 6; sent += 1) {
    const from = { 'x-forwarded-for': `90.0.1.${sent}` }
    filled.push((await buy(strict, PLAN, stranger({ email, place: 'DE' }), from)).status)
  }
  expect(filled).toEqual([303, 303, 303, 303, 303, 429])
  await strict.close()
})

it('sells the fee and the typed extras to a stranger at the total that the form shows', async () => {
  await transaction(app, 'system', async (tx) => {
    const name = (en: string) => ({ en, de: en, ru: en })
    const add = (slug: string, kind: 'setup' | 'addon', net: bigint, most: number) =>
      addExtra(tx, { slug, kind, net, most, edition: 'standard', name: name(slug) })
    await add('setup', 'setup', 1000n, 1)
    await add('seats', 'addon', 500n, 5)
  })
  const opened = await look(test, `/buy/${PLAN}?lang=en&country=DE`)
  expect(opened.html).toMatch(/setup: €11\.90 once/)
  expect(opened.html).toContain('name="extra.seats"')
  const typed = stranger({ 'extra.seats': '2' })
  // The form was opened without the two places: it is shown again at the price with them, and nothing is asked for.
  const shown = await buy(test, PLAN, typed)
  expect([shown.status, shown.id]).toEqual([400, ''])
  const again = await post(test, `/buy/${PLAN}?lang=en`, { ...hiddenIn(shown.html), ...typed, act: 'pay' })
  expect(again.status).toBe(303)
  const [, id = ''] = /^\/buy\/pay\/([\w-]{22})/.exec(again.location ?? '') ?? []
  await pay(test, id)
  expect(await stateOf(typed.email)).toEqual(bought)
  const [order] = await asOwner(
    test,
    `select o.net::text, o.extras from licence_orders o join email_addresses a using (user_id) where a.email = $1`,
    [typed.email],
  )
  expect(order).toMatchObject({ net: '3990', extras: [{ extra: 'setup' }, { extra: 'seats', quantity: 2 }] })
  const many = stranger({ 'extra.seats': '6' })
  const over = await post(test, `/buy/${PLAN}?lang=en`, {
    ...hiddenIn((await buy(test, PLAN, many)).html),
    ...many,
    act: 'pay',
  })
  expect(over.status).toBe(409)
  expect(await mistakesIn(test)).toEqual([])
})

it('asks whoever bought with the same address before, though they have not opened their account yet', async () => {
  const typed = stranger()
  const [one, two] = [await buy(test, PLAN, typed), await buy(test, PLAN, { ...typed, ipv4: anyAddress() })]
  const told = [one, two].map(({ id }) => postPayment(test, paymentEvent(id, 'paid')))
  expect(await Promise.all(told)).toEqual([200, 200])
  expect(await stateOf(typed.email)).toEqual(bought)
  const key = keyIn(await mailTo(typed.email, 'without signing in'))
  expect((await post(test, '/buy/open/', { key })).html).toContain('Your licence')
  expect(await stateOf(typed.email)).toEqual({ ...bought, servers: 2, invoices: 2, payments: 2 })
  expect(await mistakesIn(test)).toEqual([])
})

it('L-01 asks a stranger to accept the terms, and keeps which ones and where', async () => {
  const terms = 'November 2026'
  Object.assign(app.config.operator, { termsVersion: terms, termsUrl: 'https://nordic.example/terms' })
  expect((await buy(test, PLAN, stranger())).status).toBe(400)
  expect((await buy(test, PLAN, stranger({ terms: 'October 2026' }))).status).toBe(400)
  const typed = stranger({ terms })
  await pay(test, (await buy(test, PLAN, typed)).id)
  expect(await stateOf(typed.email)).toEqual(bought)
  const kept = await asOwner(
    test,
    `select a.version, a.context from acceptances a join email_addresses using (user_id)
     where email = $1 and a.document = 'terms'`,
    [typed.email],
  )
  expect(kept).toEqual([{ version: terms, context: 'order' }])
  Object.assign(app.config.operator, { termsVersion: undefined, termsUrl: undefined })
})
