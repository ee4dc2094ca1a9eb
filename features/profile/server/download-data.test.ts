import { postNote } from '#features/support/messages/contract.ts'
import { unzipSync } from 'fflate'
import { expect, it, vi } from 'vitest'
import { createTicket } from '#features/support/tickets/contract.ts'
import { createHost } from '#features/hosts/contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app, url } = test
vi.setConfig({ testTimeout: 120_000 })

async function take({ api }: Customer) {
  const response = await fetch(`${url}/api/users/export/`, {
    headers: { authorization: `Bearer ${api.access_token}` },
  })
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) }
}

async function filesOf(customer: Customer): Promise<Record<string, string>> {
  const { response, bytes } = await take(customer)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const files = Object.entries(unzipSync(bytes))
  return Object.fromEntries(files.map(([path, content]) => [path, Buffer.from(content).toString('latin1')]))
}

const json = (text: string | undefined): unknown => JSON.parse(Buffer.from(text ?? '', 'latin1').toString())

it('gives a customer all data stored about them, and nothing about others or the staff', async () => {
  const [customer, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const staff = await signedInStaff(test)
  for (const { api, user_id, email } of [customer, other]) {
    await addMoney(app, user_id, 25_00n)
    await api.call(createHost, { headers: {}, body: { name: `server of ${email}` } })
    const body = { subject: `of ${email}`, message: 'Grüße', topic: 'technical' as const }
    const opened = await api.call(createTicket, { body })
    const params = { chatId: opened.body.id }
    const client_id = crypto.randomUUID()
    await staff.api.call(postNote, { params, body: { client_id, text: 'PLANTED-NOTE' } })
  }
  const { number } = await issuedInvoice(app, customer.user_id)
  const files = await filesOf(customer)
  expect(Object.keys(files).toSorted()).toEqual(
    [
      'acceptances.json',
      'activity.json',
      'agreements.json',
      'alerts.json',
      'assistants.json',
      'auto-top-up.json',
      'auto-top-up-runs.json',
      'billing.json',
      'blocks.json',
      'checkouts.json',
      'debts.json',
      'invoices.json',
      `invoices/${number}.pdf`,
      'licences.json',
      'mails.json',
      'notifications.json',
      'people.json',
      'payment-methods.json',
      'payouts.json',
      'purchases.json',
      'received-mails.json',
      'webhooks.json',
      'place_questions.json',
      'profile.json',
      'promo_codes.json',
      'ratings.json',
      'second-factor-resets.json',
      'security.json',
      'servers.json',
      'suspensions.json',
      'machines.json',
      'tickets.json',
      'transfers.json',
      'transactions.json',
      'vat_ids.json',
      'withdrawals.json',
    ].toSorted(),
  )
  expect(json(files['profile.json'])).toMatchObject({
    email: customer.email,
    addresses: [{ email: customer.email, verified: true, primary: true }],
  })
  expect(json(files['transactions.json'])).toMatchObject([{ amount: { amount: '2500' } }])
  expect(json(files['servers.json'])).toMatchObject([{ name: `server of ${customer.email}` }])
  expect(json(files['tickets.json'])).toMatchObject([
    { subject: `of ${customer.email}`, messages: [{ text: 'Grüße', kind: 'comment' }] },
  ])
  expect(json(files['invoices.json'])).toMatchObject([{ number }])
  expect(files[`invoices/${number}.pdf`]).toMatch(/^%PDF-/)
  const everything = Object.values(files).join('')
  for (const hidden of [other.email, staff.email, 'PLANTED-NOTE']) expect(everything).not.toContain(hidden)
})

it('brings long lists whole', async () => {
  // Failed while the export held only the first page of a list.
  const customer = await signedInCustomer(test)
  for (let index = 0; index < 101; index += 1) await addMoney(app, customer.user_id, 1_00n)
  expect(json((await filesOf(customer))['transactions.json'])).toHaveLength(101)
})

it('rule 20: asks for a recent proof of identity first', async () => {
  const { response, bytes } = await take(await signedInCustomer(test, { proven_s_ago: 301 }))
  expect(response.status).toBe(403)
  expect(Buffer.from(bytes).toString()).toContain('reauthentication_required')
})
