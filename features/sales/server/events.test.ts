import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { becomeReader, OPERATOR } from '#foundation/server/account-events/account-events.ts'
import { getInvoice } from '#features/invoices/contract.ts'
import { listTransactions } from '#features/finance/contract.ts'
import { getHost, updateHost } from '#features/hosts/contract.ts'
import { resumeHost, suspendHost } from '#features/licences/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { previewUpgrade, refundTransaction, upgradeLicence } from '#features/sales/contract.ts'
import * as desk from '#features/support/desk/contract.ts'
import { postNote } from '#features/support/messages/contract.ts'
import { closeTicket } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { toMoney } from '#foundation/money.ts'
import { eventsOf, statementsOf } from '#tests/harness/account-events.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bulk, paidServers } from '#tests/harness/bulk.ts'
import { debtor } from '#tests/harness/debtor.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { addMoney } from '#tests/harness/money.ts'
import {
  anyAddress,
  buyer,
  doLicenceJobs,
  orderHost,
  passTime,
  sellLarge,
  stockShop,
} from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened, say } from '#tests/harness/tickets.ts'

const test = await startTestApp()
await stockShop(test)
await sellLarge(test)
const { app } = test
const PRICE = 2368n

const typesOf = async (owner: string) => (await eventsOf(test, owner)).map(({ type }) => type)
const reader = async (balance: bigint) => {
  const customer = await buyer(test, balance)
  await becomeReader(app, customer.user_id)
  return customer
}
const newest = async ({ user_id }: Customer, type: string) =>
  must((await eventsOf(test, user_id)).findLast((event) => event.type === type))

describe('O-12 account events of money and licences', () => {
  it('an order tells its server, its licence, its payment and its invoice, each as its call answers it', async () => {
    const customer = await reader(10_000n)
    const { api, user_id } = customer
    const { host } = bodyOf(await orderHost(customer, { name: 'otter' }), 201)
    const types = ['host.created', 'transaction.created', 'invoice.issued', 'licence.ordered']
    expect(new Set(await typesOf(user_id))).toEqual(new Set(types))
    expect(await typesOf(user_id)).toHaveLength(types.length)
    const { remaining_s: _now, ...licence } = host.licence
    for (const type of ['host.created', 'licence.ordered'])
      expect((await newest(customer, type)).data).toMatchObject({ ...host, licence })
    const [paid] = bodyOf(await api.call(listTransactions, { query: {} }), 200).items
    expect((await newest(customer, 'transaction.created')).data).toEqual(paid)
    const issued = await newest(customer, 'invoice.issued')
    const params = { publicId: String(issued.data['id']) }
    // The explanation of its amounts is in the answer of the call alone.
    const { explained: _parts, ...invoice } = bodyOf(await api.call(getInvoice, { params }), 200)
    expect(issued.data).toEqual({ ...invoice, document_versions: [] })
    expect((await eventsOf(test, user_id)).map(({ host_id }) => host_id)).toEqual(types.map(() => host.id))
  })

  it('an act for 200 servers is done where a program reads, though its invoice is larger than an event', async () => {
    const customer = await reader(PRICE * 402n)
    const named = { name: 'Anna', address: 'Lindenweg 7', zip: '22085', city: 'Hamburg', country: 'DE' }
    await customer.api.call(updateProfile, { body: named })
    const host_ids = [...(await paidServers(customer, 100)), ...(await paidServers(customer, 100))]
    bodyOf(await bulk(customer, { act: 'renew', host_ids }), 200)
    const { data } = await newest(customer, 'invoice.issued')
    const { lines } = bodyOf(
      await customer.api.call(getInvoice, { params: { publicId: String(data['id']) } }),
      200,
    )
    const told = must(Array.isArray(data['lines']) ? data['lines'] : undefined)
    expect(lines).toHaveLength(200)
    expect(told.length).toBeGreaterThan(100)
    expect(told).toEqual(lines.slice(0, told.length))
  })

  it('costs no statement where nobody reads, and two at most where somebody does', async () => {
    const [unread, read] = [await buyer(test, 50_000n), await reader(50_000n)]
    const change = (one: Customer, hostId: string, name: string) =>
      one.api.call(updateHost, { params: { hostId }, body: { name } })
    const acts = async (one: Customer) => {
      const { host } = bodyOf(await orderHost(one), 201)
      const ordered = await statementsOf(() => orderHost(one))
      const renamed = await statementsOf(() => change(one, host.id, `web-${randomUUID().slice(0, 8)}`))
      const { id } = await opened(one)
      const said = await statementsOf(() => say(one, id, 'And now?'))
      return [ordered, renamed, said].map((all) => all.filter((text) => !text.startsWith('set ')))
    }
    const [without, withReader] = [await acts(unread), await acts(read)]
    const about = (all: readonly string[]) => all.filter((text) => text.includes('account_event'))
    expect(without.flatMap(about)).toEqual([])
    const more = withReader.map((all, place) => all.length - must(without[place]).length)
    // A rename and a message have read by themselves what their events tell.
    expect(more).toEqual([2, 1, 1])
    expect(withReader.map((all) => about(all).length)).toEqual([1, 1, 1])
  })

  it('tells renewals, refusals, ends, upgrades, refunds and a balance that is too low', async () => {
    const customer = await reader(PRICE + 100n)
    const { api, user_id } = customer
    const { host } = bodyOf(await orderHost(customer), 201)
    const params = { hostId: host.id }
    bodyOf(await api.call(updateHost, { params, body: { auto_renew: true } }), 200)
    const days = Math.round(host.licence.remaining_s / 86_400)
    let at = 0
    const goTo = async (day: number) => {
      await passTime(test, days + day + 1 / 1440 - at)
      at = days + day + 1 / 1440
      await doLicenceJobs(test)
    }
    await goTo(-7)
    expect((await newest(customer, 'balance.low')).data).toEqual({
      balance: toMoney(100n, 'EUR'),
      needed: toMoney(PRICE, 'EUR'),
    })
    for (const day of [-1, 0, 1, 2]) await goTo(day)
    const failed = await newest(customer, 'licence.renewal_failed')
    expect(failed.data).toMatchObject({ refusal: 'insufficient_balance', host: { id: host.id } })
    expect((await newest(customer, 'licence.expired')).data).toMatchObject({ licence: { status: 'expired' } })
    await addMoney(app, user_id, 20_000n)
    const { host: other } = bodyOf(await orderHost(customer), 201)
    const wish = { plan: 'large-month', scope: 'all' } as const
    const upgrade = { params: { hostId: other.id }, headers: { 'idempotency-key': randomUUID() } }
    const { pay_now: expected_total } = bodyOf(
      await api.call(previewUpgrade, { ...upgrade, body: { ...wish, when: 'now' } }),
      200,
    )
    bodyOf(await api.call(upgradeLicence, { ...upgrade, body: { ...wish, expected_total } }), 201)
    expect((await newest(customer, 'licence.upgraded')).data).toMatchObject({
      id: other.id,
      licence: { plan: { slug: 'large-month' } },
    })
    const [paid] = bodyOf(await api.call(listTransactions, { query: { type: 'spend' } }), 200).items
    const billing = await signedInStaff(test, { roles: ['billing'] })
    const refunded = await billing.api.call(refundTransaction, {
      params: { userId: user_id, id: must(paid).id },
      headers: { 'idempotency-key': randomUUID() },
      body: { reason: 'as agreed' },
    })
    expect(refunded.status).toBe(201)
    const credited = await newest(customer, 'credit_note.issued')
    const publicId = String(credited.data['id'])
    const { explained: _parts, ...note } = bodyOf(await api.call(getInvoice, { params: { publicId } }), 200)
    expect(credited.data).toEqual({ ...note, document_versions: [] })
    expect(credited.data).toMatchObject({ kind: 'credit_note', credit_note_of: { id: paid?.invoice_id } })
    expect((await newest(customer, 'transaction.created')).data).toMatchObject({
      invoice_id: credited.data['id'],
    })
  })

  it('tells suspensions by staff and by a debt', async () => {
    const customer = await debtor(test, 1)
    await becomeReader(app, customer.user_id)
    const hostId = must(customer.hostIds[0])
    const staff = await signedInStaff(test, { roles: ['admin'] })
    const params = { hostId }
    bodyOf(
      await staff.api.call(suspendHost, { params, body: { reason: 'abuse', text: 'Spam.', note: 'Seen.' } }),
      201,
    )
    expect((await newest(customer, 'host.suspended')).data).toMatchObject({
      licence: { suspended: { reason: 'abuse', text: 'Spam.' } },
    })
    bodyOf(await staff.api.call(resumeHost, { params, query: { note: 'Clean.' } }), 200)
    expect((await newest(customer, 'host.resumed')).data).toEqual({
      ...bodyOf(await customer.api.call(getHost, { params }), 200),
      licence: expect.objectContaining({ suspended: null }),
    })
  })
})

describe('O-12 account events of tickets and accounts', () => {
  it('tell comments and states, and nothing of notes and of other accounts', async () => {
    const customer = await reader(0n)
    const olivia = await signedInStaff(test)
    const ticket = await opened(customer)
    const params = { chatId: ticket.id }
    const noted = { client_id: randomUUID(), text: 'NOT FOR CUSTOMERS' }
    expect((await olivia.api.call(postNote, { params, body: noted })).status).toBe(201)
    await olivia.api.call(desk.assignTicket, { params, body: {} })
    await say(olivia, ticket.id, 'We are looking into it.')
    await customer.api.call(closeTicket, { params })
    const events = await eventsOf(test, customer.user_id)
    expect(events.map(({ type }) => type)).toEqual([
      'ticket.created',
      'ticket.message_created',
      'ticket.status_changed',
      'ticket.status_changed',
      'ticket.message_created',
      'ticket.status_changed',
      'ticket.closed',
    ])
    expect(JSON.stringify(events)).not.toContain('NOT FOR')
    expect(events[4]?.data).toMatchObject({
      ticket: { id: ticket.id, number: ticket.number },
      message: { text: 'We are looking into it.', author: { is_staff: true } },
    })
    expect(events[6]?.data).toMatchObject({ id: ticket.id, status: 'closed', closed_at: expect.any(String) })
  })

  it('the operator reads all with the customer, from the first account on; an erased account leaves its end alone', async () => {
    await becomeReader(app, OPERATOR)
    const customer = await signedInCustomer(test)
    const { user_id } = customer
    await becomeReader(app, user_id)
    await addMoney(app, user_id, PRICE)
    await orderHost(customer, { ipv4: anyAddress() })
    const mine = async () => (await eventsOf(test, OPERATOR)).filter(({ customer: of }) => of?.id === user_id)
    expect((await mine()).map(({ type }) => type)).toEqual([
      'customer.created',
      'transaction.created',
      ...(await typesOf(user_id)).slice(1),
    ])
    expect((await mine())[0]).toMatchObject({
      id: expect.stringMatching(/^evt_operator_\d+$/),
      data: { id: user_id, email: customer.email },
    })
    await leave(customer)
    expect((await mine()).map(({ type, data }) => [type, data])).toEqual([
      ['customer.deleted', { id: user_id }],
    ])
    expect(await eventsOf(test, user_id)).toEqual([])
  })
})
