import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { announcementDelivered } from '#features/announcements/contract.ts'
import { giveCredit, topUpRefused } from '#features/finance/contract.ts'
import { alertNotified } from '#features/hosts/contract.ts'
import * as contract from '#features/notifications/contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import { renewalRefused } from '#features/sales/contract.ts'
import { assignTicket } from '#features/support/desk/contract.ts'
import { postNote } from '#features/support/messages/contract.ts'
import { emit } from '#foundation/server/events.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say } from '#tests/harness/tickets.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { deleteOld, markRead } from './queries.ts'

const test = await startTestApp()
const { app } = test

const listed = async ({ api }: Customer, query: object = {}) =>
  bodyOf(await api.call(contract.listNotifications, { query }), 200)
const told = async (person: Customer) =>
  (await listed(person)).items.map(({ kind, count, is_read }) => [kind, count, is_read ? 'read' : 'unread'])
const unread = async ({ api }: Customer) => bodyOf(await api.call(contract.getUnread, {}), 200)
const named = async (person: Customer, name: string, surname: string) => {
  await person.api.patch('/api/users/update/', { name, surname })
  return person
}
const assign = (by: Customer, chatId: string, user_id?: string) =>
  by.api.call(assignTicket, { params: { chatId }, body: user_id === undefined ? {} : { user_id } })
const note = (by: Customer, chatId: string, text: string) =>
  by.api.call(postNote, { params: { chatId }, body: { client_id: randomUUID(), text } })

describe('the bell', () => {
  it('groups the replies in a ticket until they are read, live, for the other side alone', async () => {
    const [customer, stranger, olivia, jonas] = [
      await signedInCustomer(test),
      await signedInCustomer(test),
      await signedInStaff(test),
      await signedInStaff(test),
    ]
    const stream = await openEvents(test.url, String(customer.api.access_token))
    const { id } = await opened(customer)
    expect([await told(olivia), await told(jonas)]).toEqual([[], []])
    await assign(olivia, id)
    await say(customer, id, 'It is urgent.')
    expect([await told(olivia), await told(jonas)]).toEqual([[['reply', 1, 'unread']], []])
    await say(olivia, id, 'We look.')
    await say(olivia, id, 'It is done.')
    expect(await told(customer)).toEqual([['reply', 2, 'unread']])
    expect((await listed(customer)).items[0]).toMatchObject({
      link: `/tickets/${id}`,
      subject: 'Cannot reach my server',
      facts: { number: expect.stringMatching(/^\d+$/) },
    })
    await expect
      .poll(() => stream.events.filter(({ type }) => type === contract.NOTIFICATIONS_CHANGED).length)
      .toBe(2)
    stream.close()
    expect(await unread(customer)).toEqual({ count: 1, links: [`/tickets/${id}`] })
    expect([await told(stranger), await told(olivia)]).toEqual([[], [['reply', 1, 'unread']]])

    const marked = await customer.api.call(contract.readNotifications, { body: { link: `/tickets/${id}` } })
    expect(bodyOf(marked, 200)).toEqual({ count: 0, links: [] })
    await say(olivia, id, 'Anything else?')
    expect(await told(customer)).toEqual([
      ['reply', 1, 'unread'],
      ['reply', 2, 'read'],
    ])
    // Reading one's own leaves those of others alone.
    expect(bodyOf(await stranger.api.call(contract.readNotifications, { body: {} }), 200).count).toBe(0)
    expect((await unread(customer)).count).toBe(1)
    expect(await test.client().get('/api/notifications/')).toMatchObject({ status: 401 })
  })

  it('tells whom a note mentions by name, if they are staff, and whom a ticket is handed over to', async () => {
    const customer = await signedInCustomer(test)
    const [olivia, jonas, anna, outside] = [
      await named(await signedInStaff(test), 'Olivia', 'Grant'),
      await named(await signedInStaff(test), 'Jonas', 'Keller'),
      await named(await signedInStaff(test), 'Jonas', 'Kellermann'),
      await named(await signedInCustomer(test), 'Petra', 'Lang'),
    ]
    const { id } = await opened(customer)
    await note(olivia, id, 'Hello @jonas keller, and @Petra Lang, @Olivia Grant, a@Jonas Kellermann')
    expect(await Promise.all([jonas, anna, outside, olivia, customer].map(told))).toEqual([
      [['mention', 1, 'unread']],
      [],
      [],
      [],
      [],
    ])
    expect((await listed(jonas)).items[0]).toMatchObject({ facts: { by: 'Olivia Grant' } })
    await assign(olivia, id, jonas.user_id)
    expect((await told(jonas))[0]).toEqual(['assigned', 1, 'unread'])
    await assign(jonas, id, anna.user_id)
    await assign(olivia, id, olivia.user_id)
    expect([await told(anna), await told(olivia)]).toEqual([[['assigned', 1, 'unread']], []])
  })

  it('shows alerts, payments that failed and announcements, and keeps no words of a ticket', async () => {
    const anna = await signedInCustomer(test)
    const { user_id } = anna
    const host = { id: 'web-1', name: 'web-1' }
    await transaction(app, 'system', async (tx) => {
      await emit(app, tx, alertNotified, { user_id, host, kind: 'offline', is_over: false, count: 1 })
      await emit(app, tx, alertNotified, { user_id, host, kind: 'offline', is_over: true, count: 1 })
      await emit(app, tx, topUpRefused, { user_id, top_up: 'one', isOrder: true })
      await emit(app, tx, renewalRefused, { user_id, host_id: 'web-1', host_name: 'web-1' })
      await emit(app, tx, announcementDelivered, { announcement_id: 'one', user_ids: [user_id] })
    })
    const { items } = await listed(anna)
    expect(items.map(({ kind, count, facts }) => [kind, count, facts])).toEqual([
      ['announcement', 1, {}],
      ['payment', 1, { what: 'renewal', host: 'web-1' }],
      ['payment', 1, { what: 'order' }],
      ['alert', 2, { host: 'web-1', alert: 'offline', state: 'over' }],
    ])
    const first = await listed(anna, { limit: '3' })
    expect((await listed(anna, { limit: '3', cursor: first.next_cursor })).items).toEqual(items.slice(3))
  })

  it('shows an approval to those who may decide it until it is decided, and its end to who asked', async () => {
    const customer = await signedInCustomer(test)
    const [jonas, billing] = [
      await signedInStaff(test, { roles: ['support'] }),
      await signedInStaff(test, { roles: ['billing'] }),
    ]
    const owner = await signedInStaff(test, { roles: ['owner'] })
    await untilAnswered(() =>
      billing.api.call(giveCredit, {
        params: { userId: customer.user_id },
        headers: { 'idempotency-key': randomUUID() },
        body: { amount: '12000', reason: 'Outage' },
      }),
    )
    expect([await told(owner), await told(jonas)]).toEqual([[['approval', 1, 'unread']], []])
    const { items } = bodyOf(await owner.api.get('/api/staff/approvals/'), 200) as { items: { id: string }[] }
    await untilAnswered(() =>
      owner.api.post(`/api/staff/approvals/${items[0]?.id}/decision/`, { decision: 'refuse', note: 'No.' }),
    )
    expect([await told(owner), await told(billing)]).toEqual([[], [['approval', 1, 'unread']]])
  })

  it('leaves out the kinds that a person does not want, and forgets what is old, and a closed account', async () => {
    const [customer, olivia] = [await signedInCustomer(test), await signedInStaff(test)]
    const choose = (body: object) =>
      customer.api.call(contract.changeNotificationChoice, { body: { kind: 'reply', ...body } })
    const choices = bodyOf(await choose({ bell: false }), 200).items
    expect(choices.map(({ kind }) => kind)).toEqual(['reply', 'alert', 'payment', 'announcement'])
    expect(choices.filter(({ bell }) => !bell)).toEqual([{ kind: 'reply', bell: false, push: true }])
    const { id } = await opened(customer)
    await say(olivia, id, 'One.')
    expect(await told(customer)).toEqual([])
    await choose({ bell: true })
    await say(olivia, id, 'Two.')
    await transaction(app, 'system', (tx) => deleteOld(tx))
    await transaction(app, 'system', (tx) => markRead(tx, olivia.user_id, undefined))
    expect(await told(customer)).toEqual([['reply', 1, 'unread']])
    const rows = () =>
      app.db.selectFrom('notifications').select('id').where('user_id', '=', customer.user_id).execute()
    await transaction(app, 'system', (tx) =>
      tx
        .updateTable('notifications')
        .set({ happened_at: new Date(Date.now() - 91 * 86_400_000) })
        .where('user_id', '=', customer.user_id)
        .execute(),
    )
    await transaction(app, 'system', (tx) => deleteOld(tx))
    expect(await rows()).toEqual([])
    await say(olivia, id, 'Three.')
    await customer.api.call(deactivate, { body: {} })
    expect(await rows()).toEqual([])
  })
})
