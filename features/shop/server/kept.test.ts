import { expect, it } from 'vitest'
import { makePromoCode, addExtra } from '#features/licences/server/licences.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { fieldsIn, type Fields } from '#tests/harness/page-forms.ts'
import { MOLLIE_KEY } from '#tests/harness/mollie-server.ts'
import { paymentEvent, postPayment } from '#tests/harness/payments.ts'
import { anyAddress, stockShop } from '#tests/harness/shop.ts'
import { look, post } from '#tests/harness/strangers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({
  settings: {
    SHOP: 'on',
    PAYMENTS: 'test,mollie',
    MOLLIE_API_KEY: MOLLIE_KEY,
    RATE_LIMIT_SCALE: '1000',
    TERMS_VERSION: '2026-01',
    TERMS_URL: 'https://example.com/terms',
  },
})
const { app } = test
await stockShop(test)
const PLAN = 'standard-month'
const EMAIL = 'eve+1@example.com'
await transaction(app, 'system', async (tx) => {
  const usual = { percent: 20, amount: null, editions: null, first_order_only: true, renewals: 1, uses: 100 }
  await makePromoCode(app, tx, { ...usual, expires_at: null, note: '', code: 'KEPT' }, { by: null })
})
const plain = (html: string) => html.replaceAll('&amp;', '&')
const linksIn = (html: string) =>
  [...plain(html).matchAll(/ href="(\/(?:shop|buy)\/[^"#]*)"/g)].map(([, to = '']) => to)
const isPage = (to: string) => !/\.(css|xml)$|\/style/.test(to)

it('keeps the promo code and the mailbox of a link on every way through the shop, by links and by the form of the country', async () => {
  const seen = new Set<string>()
  const waiting = [`/shop/?code=KEPT&email=${encodeURIComponent(EMAIL)}`]
  const ways: string[] = []
  for (let to = waiting.shift(); to !== undefined; to = waiting.shift()) {
    if (seen.has(to) || to.startsWith('/buy/')) continue
    seen.add(to)
    const { html, status } = await look(test, to)
    expect([to, status]).toEqual([to, 200])
    const [, action = ''] = /<form class="country" method="get" action="([^"]*)"/.exec(html) ?? []
    const query = new URLSearchParams({ ...fieldsIn(html), country: 'FR' }).toString()
    const found = [...linksIn(html).filter(isPage), `${action}?${query}`]
    ways.push(...found)
    waiting.push(...found.filter((next) => !next.includes('country=') || next.includes('country=FR')))
  }
  expect(ways.length).toBeGreaterThan(20)
  const lost = ways.filter((way) => {
    const { searchParams } = new URL(way, 'http://shop')
    return searchParams.get('code') !== 'KEPT' || searchParams.get('email') !== EMAIL
  })
  expect(lost.filter((way) => !way.includes('canonical'))).toEqual([])
  const form = fieldsIn(
    (await look(test, must(ways.find((way) => way.includes(`/buy/${PLAN}`) && way.includes('FR'))))).html,
  )
  expect(form).toMatchObject({ code: 'KEPT', email: EMAIL, country: 'FR' })
})

const whole = (more: Fields = {}): Fields => ({
  email: EMAIL,
  country: 'FR',
  ipv4: anyAddress(),
  server: 'A & "B"',
  name: 'Ève',
  surname: '<b>',
  company: 'C & Co',
  address: 'Rue 1',
  zip: '75001',
  city: 'Paris',
  code: 'KEPT',
  provider: 'mollie',
  terms: '2026-01',
  ...more,
})

it('keeps everything typed, whatever button of the form is pressed, and in every language', async () => {
  const storage = { en: 'Storage', de: 'Speicher', ru: 'Место' }
  const extra = {
    slug: 'storage',
    name: storage,
    edition: 'standard',
    kind: 'addon',
    net: 300n,
    most: 9,
  } as const
  await transaction(app, 'system', (tx) => addExtra(tx, extra))
  const typed = whole({ 'extra.storage': '3' })
  const { html } = await look(test, `/buy/${PLAN}?lang=en`)
  const buttons = [...plain(html).matchAll(/<button[^>]*formaction="([^"]+)"/g)].map(([, to = '']) => to)
  // The buttons of the extras, the country, the promo code and three languages, and the one that the Enter key presses.
  expect(buttons).toHaveLength(7)
  const { form = '', total = '', sum_of = '' } = fieldsIn(html)
  for (const to of buttons) {
    const answer = await post(test, to.split('#')[0] ?? '', { form, total, sum_of, ...typed, act: 'price' })
    expect([to, answer.status]).toEqual([to, 200])
    expect(fieldsIn(answer.html)).toMatchObject({ ...typed, form })
    expect(answer.html).toContain(`<html lang="${new URL(to, 'http://shop').searchParams.get('lang')}"`)
  }
})

it('says at once that the payment of a stranger was declined, and keeps all that was typed for another way to pay', async () => {
  const typed = whole({ email: 'declined@example.com', provider: 'test' })
  const { form, total, sum_of } = fieldsIn(
    (await post(test, `/buy/${PLAN}?lang=de`, { ...typed, act: 'price' })).html,
  )
  const sent = await post(test, `/buy/${PLAN}?lang=de`, {
    ...typed,
    form,
    total,
    sum_of,
    act: 'pay',
  } as Fields)
  const [, id = ''] = /^\/buy\/pay\/([\w-]{22})/.exec(sent.location ?? '') ?? []
  expect((await look(test, `/buy/${PLAN}?lang=de&again=${id}`)).html, 'not of an open one').not.toContain(
    'Rue 1',
  )
  expect(await postPayment(test, paymentEvent(id, 'failed'))).toBe(200)
  const thanks = await look(test, `/buy/thanks/${id}`)
  expect(thanks.html).toContain('Ihre Zahlung hat nicht geklappt')
  expect(thanks.headers.get('refresh')).toBeNull()
  expect((await look(test, `/buy/pay/${id}`)).location).toBe(`/buy/thanks/${id}`)
  const again = must(linksIn(thanks.html).find((to) => to.includes('again=')))
  const { provider: _, ...kept } = typed
  const shown = fieldsIn((await look(test, again)).html)
  expect(shown).toMatchObject(kept)
  expect(shown['form']).not.toBe(form)
  const second = await post(test, `/buy/${PLAN}?lang=de`, { ...shown, provider: 'test', act: 'pay' })
  expect(second.location).toMatch(/^\/buy\/pay\//)
  expect(second.location).not.toContain(id)
  // The money of the first try comes all the same: it orders.
  expect(await postPayment(test, paymentEvent(id, 'paid'))).toBe(200)
  const [row] = await asOwner(
    test,
    'select state, user_id is not null as is_taken from purchases where public_id = $1',
    [id],
  )
  expect(row).toEqual({ state: 'done', is_taken: true })
  expect((await look(test, again)).html, 'not of a paid one').not.toContain('Rue 1')
})
