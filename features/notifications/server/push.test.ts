import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/notifications/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { newBrowser, signerOf, startPushService } from '#tests/harness/pushed-messages.ts'
import { openTo } from '#tests/harness/receiver/receiver.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say } from '#tests/harness/tickets.ts'
import { deleteSubscription } from './push-queries.ts'
import { sendPush } from './send-push.ts'

const test = await startTestApp()
const { app } = test
const service = await startPushService()
openTo(app, { most_ms: 5_000 })
afterAll(() => service.close())
const olivia = await signedInStaff(test)

let places = 0
async function withBrowser(person: Customer) {
  const path = `/${(places += 1)}`
  const browser = newBrowser(service.origin + path)
  const reply = await person.api.call(contract.subscribePush, { body: browser.subscription })
  const { public_key } = bodyOf(reply, 200)
  return { ...browser, path, public_key, got: () => service.got(path) }
}
/** Staff answer a new ticket of the customer. Returns its id, and the notification that it made. */
async function answered(customer: Customer) {
  const { id, number } = await opened(customer)
  await say(olivia, id, 'The password is SECRET-WORD.')
  const { items } = bodyOf(await customer.api.call(contract.listNotifications, { query: {} }), 200)
  const push = { user_id: customer.user_id, notification: String(must(items[0]).id) }
  return { id, number, push }
}
const endpoints = async ({ api }: Customer) => bodyOf(await api.call(contract.getPush, {}), 200).endpoints
const waiting = (notification: string): Promise<unknown[]> =>
  asOwner(test, 'select 1 from jobs where payload @> $1', [JSON.stringify({ notification })])

it('a browser gets one sentence and a link, sealed for it alone and signed by the installation', async () => {
  const customer = await signedInCustomer(test, { locale: 'de' })
  const [browser, other] = [await withBrowser(customer), newBrowser('https://receiver.example/other')]
  const { id, number, push } = await answered(customer)
  expect(await waiting(push.notification)).toHaveLength(1)
  await sendPush(app, push)
  const [message, ...more] = browser.got()
  expect(more).toEqual([])
  const { bytes, headers } = must(message)
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' })
  const said: unknown = JSON.parse(browser.open(bytes))
  expect(said).toEqual({
    title: app.config.operator.name,
    text: `Neue Nachricht in Ticket #${number}`,
    link: `/account/tickets/${id}`,
    tag: `reply /tickets/${id}`,
  })
  expect(() => other.open(bytes)).toThrow()
  const { claims, key } = signerOf(must(message))
  expect(key).toBe(browser.public_key)
  expect(claims.aud).toBe(service.origin)
  expect(claims.sub).toMatch(/^(mailto:|https:)/)
  expect(claims.exp * 1000 - Date.now()).toBeLessThanOrEqual(86_400_000)

  // A thing that was read meanwhile is pushed no more, nor a kind that the person switched off.
  await customer.api.call(contract.readNotifications, { body: {} })
  await sendPush(app, push)
  expect(browser.got()).toHaveLength(1)
  await customer.api.call(contract.changeNotificationChoice, { body: { kind: 'reply', push: false } })
  const quiet = await answered(customer)
  expect(await waiting(quiet.push.notification)).toEqual([])
})

it('a browser that is gone is forgotten, one that is away is tried again by itself, and others go on', async () => {
  const customer = await signedInCustomer(test)
  const [first, second] = [await withBrowser(customer), await withBrowser(customer)]
  const { push } = await answered(customer)
  service.answer(503)
  await sendPush(app, push)
  expect(await endpoints(customer)).toHaveLength(2)
  expect(await waiting(push.notification)).toHaveLength(3)
  service.answer(410)
  await sendPush(app, { ...push, only: await idOf(first.subscription.endpoint), tries: 2 })
  expect(await endpoints(customer)).toEqual([second.subscription.endpoint])
  expect([first.got().length, second.got().length]).toEqual([2, 1])
  service.answer(201)
  await sendPush(app, push)
  expect([first.got().length, second.got().length]).toEqual([2, 2])
})

const idOf = async (endpoint: string) =>
  must(
    await app.db
      .selectFrom('push_subscriptions')
      .select('id')
      .where('endpoint', '=', endpoint)
      .executeTakeFirst(),
  ).id

it('a subscription ends with its session, and belongs to who signed in last; nobody ends those of others', async () => {
  const [anna, boris] = [await signedInCustomer(test), await signedInCustomer(test)]
  const { subscription } = await withBrowser(anna)
  const { endpoint } = subscription
  await boris.api.call(contract.unsubscribePush, { body: { endpoint } })
  // Work of the system has not the database's wall between people.
  await transaction(app, 'system', (tx) => deleteSubscription(tx, boris.user_id, endpoint))
  expect(await endpoints(anna)).toEqual([endpoint])
  await boris.api.call(contract.subscribePush, { body: subscription })
  expect([await endpoints(anna), await endpoints(boris)]).toEqual([[], [endpoint]])
  await boris.api.delete('/api/allauth/app/v1/auth/session')
  const left = await app.db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('endpoint', '=', endpoint)
    .execute()
  expect(left).toEqual([])
})

it('rule 26: no subscription leads into the house, or by plain http', async () => {
  const { api } = await signedInCustomer(test)
  const { keys } = newBrowser('').subscription
  const codes = []
  for (const endpoint of ['http://push.example.org/1', 'https://10.0.0.1/1', 'https://[::1]/', 'push']) {
    const { body } = await api.post('/api/notifications/push/', { endpoint, keys })
    codes.push((body as { errors: { code: string }[] }).errors[0]?.code)
  }
  expect(codes).toEqual(['https_required', 'address_not_allowed', 'address_not_allowed', 'invalid_url'])
})
