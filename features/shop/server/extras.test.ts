import { expect, it } from 'vitest'
import { addExtra, makePromoCode } from '#features/licences/server/licences.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { anyAddress, stockShop } from '#tests/harness/shop.ts'
import { buy, hiddenIn, look, pay, post, type Form } from '#tests/harness/strangers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { typedIn } from './buy-form.ts'
import { offerFor } from './offer.ts'
import { makePurchase } from './purchases.ts'

// Standard costs 19.90 a month, and its fee 25.00.
const url = 'https://nordic.example/withdrawal'
const test = await startTestApp({
  settings: {
    SHOP: 'on',
    PAYMENTS: 'test',
    RATE_LIMIT_SCALE: '1000',
    WITHDRAWAL_URL: url,
    VAT_EU_CONSUMERS: 'threshold',
  },
})
const { app } = test
await stockShop(test)
const PLAN = 'standard-month'
await transaction(app, 'system', async (tx) => {
  const name = { en: 'Setup', de: 'Einrichtung', ru: 'Настройка' }
  await addExtra(tx, { slug: 'setup', kind: 'setup', net: 2500n, most: 1, edition: 'standard', name })
  const wanted = { percent: 100, amount: null, editions: null, first_order_only: false, renewals: 0 }
  const code = { ...wanted, code: 'ALL-OFF', uses: 10, note: '', expires_at: null }
  await makePromoCode(app, tx, code, { by: null })
})

let made = 0
const stranger = (fields: Form = {}): Form & { email: string } => ({
  email: `extra-${(made += 1)}@example.com`,
  country: 'DE',
  ipv4: anyAddress(),
  begin_now: 'yes',
  ...fields,
})
const stateOf = async (email: string) => {
  const [row] = await asOwner(
    test,
    `with a as (select user_id from email_addresses where email = $1)
     select (select count(*)::int from hosts h join a using (user_id) where h.paid_until > now()) as servers,
       (select coalesce(sum(b.balance), 0)::text from balances b join a using (user_id)) as balance,
       (select min(o.total)::text from licence_orders o join a using (user_id)) as total`,
    [email],
  )
  return row
}

// Seen red while a plan that a code made free named no instruction: the form had no box, and each was refused for its lack.
it('L-02 rule 66: a fee with a plan that a code makes free has the box, and is sold', async () => {
  const { html } = await look(test, `/buy/${PLAN}?lang=en&country=DE&code=ALL-OFF`)
  expect(html).toContain('name="begin_now"')
  expect(html).toContain(url)
  const typed = stranger({ code: 'ALL-OFF' })
  const send = (more: Form) =>
    post(test, `/buy/${PLAN}?lang=en`, { ...hiddenIn(html), ...typed, ...more, act: 'pay' })
  const unticked = await send({ begin_now: '' })
  expect([unticked.status, unticked.html]).toEqual([400, expect.stringMatching(/id="begin_now-note"/)])
  const { location } = await send({})
  await pay(test, location?.slice('/buy/pay/'.length, '/buy/pay/'.length + 22) ?? '')
  expect(await stateOf(typed.email)).toEqual({ servers: 1, balance: '0', total: '2975' })
})

it('rule 46: a form whose order would cost another total is refused before it is paid', async () => {
  const typed = { ...typedIn(stranger()), form: 'one' }
  const { plan } = must(await offerFor(app, PLAN, typed, '192.0.2.1'))
  const origin = { ip: '192.0.2.1', user_agent: '', request_id: 'r' }
  const sent = { typed, locale: 'en', network: null, origin } as const
  const other = { ...plan, price_total: toMoney(BigInt(plan.price_total.amount) - 1n, 'EUR') }
  await expect(makePurchase(app, { ...sent, plan: other })).rejects.toMatchObject({
    status: 409,
    errors: [{ code: 'price_changed' }],
  })
  expect(await makePurchase(app, { ...sent, plan })).toMatch(/^[\w-]{22}$/)
})

// Last in this file: any sale by the one-stop shop passes the threshold for the year. Seen red while the form counted the rate of the plan
// alone: it was paid, and its order refused.
it('rules 46, 62: a purchase that passes the threshold by its fee is sold at the total that its form shows', async () => {
  const before = await signedInCustomer(test)
  await before.api.call(updateProfile, { body: { country: 'FR' } })
  await issuedInvoice(app, before.user_id, { nets: [997_000n] })
  const { html } = await look(test, `/buy/${PLAN}?lang=en&country=FR`)
  expect(html).toMatch(/Pay €53\.88 and order/)
  const typed = stranger({ country: 'FR' })
  const { id } = await buy(test, PLAN, typed)
  await pay(test, id, 'FR')
  expect(await stateOf(typed.email)).toEqual({ servers: 1, balance: '0', total: '5388' })
})
