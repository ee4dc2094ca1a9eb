import { randomUUID } from 'node:crypto'
import { Stripe } from 'stripe'
import { expect, it } from 'vitest'
import { asOwner } from '#tests/harness/hosts.ts'
import { anyAddress, stockShop } from '#tests/harness/shop.ts'
import { buy, look } from '#tests/harness/strangers.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const secret = 'whsec_of_the_tests_0123456789'
const test = await startTestApp({
  settings: {
    SHOP: 'on',
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
    STRIPE_WEBHOOK_SECRET: secret,
    RATE_LIMIT_SCALE: '1000',
  },
})
await stockShop(test)
const { webhooks } = new Stripe('sk_test_unused')
const PLAN = 'standard-month'

/** Tells of a Checkout Session as Stripe does. */
async function tell(type: string, id: string): Promise<number> {
  const object = {
    object: 'checkout.session',
    client_reference_id: id,
    payment_status: 'unpaid',
    payment_intent: `pi_${id}`,
    amount_total: 1000,
    currency: 'eur',
  }
  const payload = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, data: { object } })
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': webhooks.generateTestHeaderString({ payload, secret }),
  }
  const body = payload
  return (await fetch(`${test.url}/api/payments/stripe/events/`, { method: 'POST', headers, body })).status
}

/** Buys as a stranger whose form was sent so long ago. */
async function bought(email: string, ago: string) {
  const { id } = await buy(test, PLAN, { email, country: 'DE', ipv4: anyAddress(), surname: 'Typed' })
  await asOwner(
    test,
    `update purchases set created_at = now() - $2::interval, expires_at = expires_at - $2::interval where public_id = $1`,
    [id, ago],
  )
  return id
}
const mailsTo = async (email: string) =>
  (await asOwner(test, 'select from mails where to_address = $1', [email])).length

it('mails a stranger, once, that the bank refused the direct debit days later, with a way to order again', async () => {
  const email = 'debit@example.com'
  const id = await bought(email, '3 days')
  expect(await tell('checkout.session.completed', id)).toBe(200)
  expect(await mailsTo(email)).toBe(0)
  expect(await tell('checkout.session.async_payment_failed', id)).toBe(200)
  const { subject, text = '' } = await test.mails.next(email)
  expect(subject).toMatch(/^Your payment for .+ did not go through$/)
  expect(text).toContain('Nothing was ordered')
  expect(text, 'of what was typed the plan alone').not.toContain('Typed')
  const [link = ''] = /\/buy\/\S+/.exec(text) ?? []
  expect(link).toBe(`/buy/${PLAN}?lang=en&email=debit%40example.com`)
  expect((await look(test, link)).html).toContain('value="debit@example.com"')
  expect(await tell('checkout.session.async_payment_failed', id)).toBe(200)
  expect(await mailsTo(email)).toBe(1)
  expect(await asOwner(test, 'select from email_addresses where email = $1', [email])).toEqual([])
})

it.each([
  ['whose page nobody used', 'checkout.session.expired', '3 days'],
  ['that was declined while its page waits', 'checkout.session.async_payment_failed', '5 minutes'],
])('mails nobody about a payment %s', async (_name, type, ago) => {
  const email = `${ago.replace(' ', '-')}@example.com`
  const id = await bought(email, ago)
  expect(await tell(type, id)).toBe(200)
  const noted = await asOwner(test, 'select from purchases where public_id = $1 and failed_at is not null', [
    id,
  ])
  expect([noted.length, await mailsTo(email)]).toEqual([1, 0])
})
