import { expect, it } from 'vitest'
import { makePromoCode } from '#features/licences/server/licences.ts'
import { editPlan } from '#features/licences/server/catalogue.ts'
import { toMoney } from '#foundation/money.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { mistakesIn } from '#tests/harness/books.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { begunCheckout, checkoutState, paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { anyAddress, buyer, goods, stockShop } from '#tests/harness/shop.ts'
import { buy, hiddenIn, look, post, type Form } from '#tests/harness/strangers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({
  settings: { SHOP: 'on', PAYMENTS: 'test', RATE_LIMIT_SCALE: '1000' },
})
const { app } = test
await stockShop(test)
const PLAN = 'standard-month'
// 19.90 less 20 %, with 19 % of VAT.
const LOWERED = 1894n

let made = 0
const codeOf = async (wanted: Partial<Parameters<typeof makePromoCode>[2]> = {}) => {
  const code = `SHOP-${(made += 1)}`
  const usual = { percent: 20, amount: null, editions: null, first_order_only: true, renewals: 1, uses: 100 }
  await transaction(app, 'system', (tx) =>
    makePromoCode(app, tx, { ...usual, expires_at: null, note: '', code, ...wanted }, { by: null }),
  )
  return code
}
const stranger = (fields: Form = {}): Form & { email: string } => ({
  email: `code-${(made += 1)}@example.com`,
  country: 'DE',
  ipv4: anyAddress(),
  ...fields,
})
const pay = (id: string) => postPayment(test, paymentEvent(id, 'paid'))
const send = (html: string, typed: Form, act = 'pay', lang = 'en') =>
  post(test, `/buy/${PLAN}?lang=${lang}`, { ...hiddenIn(html), ...typed, act })

const stateOf = async (email: string) => {
  const [row] = await asOwner(
    test,
    `with a as (select user_id from email_addresses where email = $1)
     select (select count(*)::int from hosts h join a using (user_id) where h.paid_until > now()) as servers,
       (select coalesce(sum(b.balance), 0)::text from balances b join a using (user_id)) as balance,
       (select min(o.total)::text from licence_orders o join a using (user_id)) as total,
       (select count(*)::int from promo_uses p join a using (user_id)) as uses`,
    [email],
  )
  return row
}

it('rule 66: shows the lowered price with VAT before it is paid, sells at it, and renews by the code', async () => {
  const code = await codeOf()
  const { html } = await look(test, `/buy/${PLAN}?lang=en&country=DE&code=${code.toLowerCase()}`)
  expect(html).toContain('<s class="small">€23.68</s>')
  expect(html).toMatch(/Pay €18\.94 and order/)
  expect(html).toContain(`Promo code ${code}. It also lowers the next renewal.`)
  const typed = stranger({ code: code.toLowerCase() })
  const sent = await send(html, typed)
  const [, id = ''] = /^\/buy\/pay\/([\w-]{22})/.exec(sent.location ?? '') ?? []
  expect(await pay(id)).toBe(200)
  expect(await stateOf(typed.email)).toEqual({
    servers: 1,
    balance: '0',
    total: LOWERED.toString(),
    uses: 1,
  })
  const links = (await look(test, `/shop/en/server/?country=DE&code=${code}`)).html
  expect(links).toContain(`/buy/${PLAN}?lang=en&amp;country=DE&amp;code=${code}`)
  expect(await mistakesIn(test)).toEqual([])
})

it('nobody pays a sum that they have not seen: a code that was typed and not applied shows the sum first', async () => {
  const code = await codeOf()
  const typed = stranger({ code })
  const first = await buy(test, PLAN, typed)
  expect([first.status, first.id]).toEqual([400, ''])
  expect(first.html).toContain('What you typed has changed the total')
  expect(first.html).not.toContain('Please check the fields')
  expect(first.html).toContain(`value="${typed.email}"`)
  expect(await asOwner(test, 'select from purchases where email = $1', [typed.email])).toEqual([])
  expect((await send(first.html, typed)).status).toBe(303)
  // The price of the catalogue is another matter: the buyer changed nothing.
  const { html } = await look(test, `/buy/${PLAN}?lang=en&country=DE`)
  await transaction(app, 'system', (tx) => editPlan(tx, PLAN, { price_net: 2500n }))
  const other = await send(html, stranger())
  await transaction(app, 'system', (tx) => editPlan(tx, PLAN, { price_net: goods[PLAN].price_net }))
  expect(other.html).not.toContain('What you typed has changed')
  expect(other.html).toMatch(/role="alert">\s*The price has changed/)
})

it('a wrong, used up or expired code says so in three languages, and keeps what was typed', async () => {
  const expired = await codeOf({ expires_at: new Date(Date.now() - 60_000) })
  const full = await codeOf({ uses: 1 })
  const taker = await buy(test, PLAN, stranger({ code: full }))
  expect(await pay((await send(taker.html, stranger({ code: full }))).location?.slice(9, 31) ?? '')).toBe(200)
  const said = [
    [
      'NONE-SUCH',
      'We don’t know this promo code',
      'Diesen Aktionscode kennen wir nicht',
      'такого кода скидки',
    ],
    [expired, 'has expired', 'abgelaufen', 'истёк'],
    [full, 'has been used up', 'aufgebraucht', 'исчерпан'],
  ] as const
  for (const [code, ...texts] of said)
    for (const [place, lang] of ['en', 'de', 'ru'].entries()) {
      const typed = stranger({ code, server: 'my box' })
      const opened = await look(test, `/buy/${PLAN}?lang=${lang}&country=DE`)
      for (const act of ['price', 'pay']) {
        const { html, status } = await send(opened.html, typed, act, lang)
        expect([act, status]).toEqual([act, act === 'pay' ? 400 : 200])
        expect(html.split('id="code-note">')[1]).toMatch(new RegExp(texts[place] ?? '', 'i'))
        for (const value of [code, typed.email, 'my box']) expect(html).toContain(`value="${value}"`)
        expect(html).toContain('id="sum"')
      }
    }
})

it('a code that makes an order free is for accounts: a purchase without one is a payment', async () => {
  const code = await codeOf({ percent: 100 })
  const { html } = await look(test, `/buy/${PLAN}?lang=en&country=DE&code=${code}`)
  expect(html).toContain('With this code the order costs nothing. Sign up')
  expect(html).toContain('Pay €23.68 and order')
  expect((await send(html, stranger({ code }))).status).toBe(400)
  expect((await send(html, stranger())).status).toBe(303)
})

it('rule 61: a code that was used up while its order waited for money orders nothing, and the money is on the balance', async () => {
  const code = await codeOf({ uses: 1, first_order_only: false })
  const [first, second] = [stranger({ code }), stranger({ code })]
  const ids: string[] = []
  for (const typed of [first, second]) {
    const { html } = await look(test, `/buy/${PLAN}?lang=en&country=DE&code=${code}`)
    ids.push((await send(html, typed)).location?.slice('/buy/pay/'.length, '/buy/pay/'.length + 22) ?? '')
  }
  const customer = await buyer(test, 500n)
  const checkout = await begunCheckout(customer, { promo: code, expected_total: toMoney(LOWERED, 'EUR') })
  expect(await pay(ids[0] ?? '')).toBe(200)
  expect(await pay(ids[1] ?? '')).toBe(200)
  expect(await stateOf(first.email)).toMatchObject({ servers: 1, uses: 1 })
  expect(await stateOf(second.email)).toMatchObject({
    servers: 0,
    balance: LOWERED.toString(),
    uses: 0,
  })
  expect(await pay(checkout.id)).toBe(200)
  expect(await checkoutState(customer, checkout.id)).toMatchObject({
    state: 'failed',
    refusal: 'promo_used_up',
    host_id: null,
  })
  for (const email of [second.email, customer.email])
    await test.mails.about(email, 'promo code can no longer be used')
  expect(await mistakesIn(test)).toEqual([])
})
