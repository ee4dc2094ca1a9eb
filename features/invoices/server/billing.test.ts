import { expect, it, vi } from 'vitest'
import PostalMime from 'postal-mime'
import { insertAddress } from '#features/profile/server/profile.ts'
import { deactivate, updateProfile } from '#features/profile/contract.ts'
import * as contract from '#features/invoices/contract.ts'
import { isLeitwegId } from '#features/invoices/leitweg-id.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { prepareDocuments } from './download.ts'
import { redraw } from './invoices.ts'
import { mailInvoice } from './invoice-mails.ts'

const test = await startTestApp()
const { app } = test
vi.setConfig({ testTimeout: 60_000 })

const LEITWEG_ID = '04011000-1234512345-06'
const save = ({ api }: Customer, body: Partial<Omit<contract.Billing, 'email_verified'>>) =>
  api.call(contract.saveBilling, { body })
const address = { name: 'Anna', address: 'Am Markt 1', zip: '20095', city: 'Hamburg', country: 'DE' }

it.each([
  [LEITWEG_ID, true],
  ['991-33333TEST-33', true],
  ['992-90009-96', true],
  ['05711-06001-79', true],
  ['04011000-1234512345-07', false],
  ['04011000-1234512354-06', false],
  ['0401100-1234512345-06', false],
])('knows the check digits of %s', (id, isRight) => {
  expect(isLeitwegId(id)).toBe(isRight)
})

it('F-02 keeps references for the invoices to come, of one customer alone', async () => {
  const customer = await signedInCustomer(test)
  const before = await issuedInvoice(app, customer.user_id)
  expect((await customer.api.call(contract.getBilling, {})).body).toEqual({
    email: '',
    email_verified: false,
    buyer_reference: '',
    order_reference: '',
    send_pdf: true,
  })
  expect(await save(customer, { buyer_reference: '04011000-1234512345-07' })).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'invalid_leitweg_id', param: 'buyer_reference' }] },
  })
  await save(customer, { buyer_reference: LEITWEG_ID })
  // Rule 45: a second tab saves without the change that the first tab saved.
  expect((await save(customer, { order_reference: 'PO-4711' })).body).toMatchObject({
    buyer_reference: LEITWEG_ID,
    order_reference: 'PO-4711',
  })
  const after = await issuedInvoice(app, customer.user_id)
  const read = async (publicId: string) =>
    (await customer.api.call(contract.getInvoice, { params: { publicId } })).body
  expect(await read(before.public_id)).toMatchObject({ buyer_reference: '', order_reference: '' })
  expect(await read(after.public_id)).toMatchObject({
    buyer_reference: LEITWEG_ID,
    order_reference: 'PO-4711',
  })
  const stranger = await signedInCustomer(test)
  expect((await stranger.api.call(contract.getBilling, {})).body).toMatchObject({ buyer_reference: '' })
  await customer.api.call(deactivate, { body: {} })
  const { rowCount } = await app.pool.query('select from billing_details where user_id = $1', [
    customer.user_id,
  ])
  expect(rowCount).toBe(0)
})

it('rule 37: mails go to the billing address only once it is proven, with the PDF and for an authority the XRechnung', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  await customer.api.call(updateProfile, { body: address })
  const email = anyEmail()
  expect((await save(customer, { email, buyer_reference: LEITWEG_ID })).body).toMatchObject({
    email,
    email_verified: false,
  })
  // An unconfirmed address of the account counts as a stranger's.
  await transaction(app, 'system', (tx) =>
    insertAddress(tx, { user_id, email, is_primary: false, verified: false }),
  )
  const first = await issuedInvoice(app, user_id)
  // The job would do the same, but it is in a queue behind all other jobs.
  await prepareDocuments(app, user_id, first.public_id)
  await mailInvoice(app, user_id, first.public_id)
  const toAccount = await PostalMime.parse((await test.mails.next(customer.email, 40_000)).raw)
  expect(toAccount.attachments.map(({ filename }) => filename)).toEqual([
    `${first.number}.pdf`,
    `${first.number}-xrechnung.xml`,
  ])
  await transaction(app, 'system', (tx) =>
    tx.updateTable('email_addresses').set({ verified_at: new Date() }).where('email', '=', email).execute(),
  )
  await save(customer, { send_pdf: false, buyer_reference: '' })
  const second = await issuedInvoice(app, user_id)
  await mailInvoice(app, user_id, second.public_id)
  const toBilling = await PostalMime.parse((await test.mails.next(email, 40_000)).raw)
  expect(toBilling.attachments).toEqual([])
})

it('mails an invoice once, also if the documents come late', async () => {
  const customer = await signedInCustomer(test)
  const { user_id } = customer
  const { public_id } = await issuedInvoice(app, user_id)
  await mailInvoice(app, user_id, public_id)
  await mailInvoice(app, user_id, public_id)
  const { rowCount } = await app.pool.query(
    `select from mails where user_id = $1 and letter = 'invoice_issued'`,
    [user_id],
  )
  expect(rowCount).toBe(1)
})

it('rule 13: redrawing adds a version, and earlier versions stay reachable', async () => {
  const customer = await signedInCustomer(test)
  const { public_id, number } = await issuedInvoice(app, customer.user_id)
  const get = async (query = '') => {
    const response = await fetch(`${test.url}/api/invoices/${public_id}/pdf${query}`, {
      headers: { authorization: `Bearer ${customer.api.access_token}` },
    })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()).toString('base64') }
  }
  const first = await get()
  expect(await redraw(app, number)).toBe(2)
  const second = await get()
  expect(second.bytes).not.toBe(first.bytes)
  expect(await get('?version=1')).toEqual(first)
  expect(await get('?version=2')).toEqual(second)
  expect((await get('?version=3')).status).toBe(404)
  const { body } = await customer.api.call(contract.getInvoice, { params: { publicId: public_id } })
  expect(body).toMatchObject({ number, document_versions: [{ version: 1 }, { version: 2 }] })
  await expect(redraw(app, 'HD-1999-000001')).rejects.toThrow('There is no invoice')
})

it('F-02 serves no XRechnung that is missing details its rules require', async () => {
  const customer = await signedInCustomer(test)
  const { public_id } = await issuedInvoice(app, customer.user_id)
  expect(
    (await customer.api.call(contract.getInvoice, { params: { publicId: public_id } })).body,
  ).toMatchObject({
    formats: ['pdf'],
  })
  expect(await customer.api.get(`/api/invoices/${public_id}/xrechnung.xml`)).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'xrechnung_incomplete' }] },
  })
})
