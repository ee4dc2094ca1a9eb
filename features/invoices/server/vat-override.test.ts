import { expect, it } from 'vitest'
import { decideApproval } from '#features/approvals/contract.ts'
import * as contract from '#features/invoices/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { vatFor } from './vat-of-customer.ts'

const test = await startTestApp()
const { app } = test

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })
const billing = await memberWith('billing')
const admin = await memberWith('admin')
const support = await memberWith('support')

const austrian = async () => {
  const customer = await signedInCustomer(test)
  bodyOf(await customer.api.call(updateProfile, { body: { country: 'AT', vat_id: 'ATU12345678' } }), 200)
  return customer
}
type Body = InputOf<typeof contract.overrideVat>['body']
const override = (by: Customer, { user_id }: Customer, body: Omit<Body, 'reason'>) =>
  by.api.call(contract.overrideVat, {
    params: { userId: user_id },
    body: { reason: 'Certificate of the tax office', ...body },
  })
const kindFor = async ({ user_id }: Customer) => (await vatFor(app, app.db, user_id)).kind
const statusFor = async ({ user_id }: Customer) =>
  bodyOf(await support.api.call(contract.getCustomerVatStatus, { params: { userId: user_id } }), 200)
const decide = (by: Customer, id: string) =>
  by.api.call(decideApproval, { params: { id }, body: { decision: 'approve' } })

it('F-02 a second member confirms that a customer is taxed as a business; nobody is asked for the way back', async () => {
  const customer = await austrian()
  const asked = bodyOf(await override(billing, customer, { treatment: 'business' }), 202)
  expect(asked).toMatchObject({ approval: { act: 'vat.override', why: 'always', amount: null } })
  expect(await kindFor(customer)).toBe('oss')
  expect((await decide(billing, asked.approval.id)).status).toBe(403)
  expect((await decide(admin, asked.approval.id)).status).toBe(200)
  expect(await kindFor(customer)).toBe('reverse_charge')
  expect(await statusFor(customer)).toMatchObject({
    state: 'verified',
    override: { treatment: 'business', vat_id: 'ATU12345678', in_force: true, valid_until: null },
  })
  // Nobody vouched for another VAT id.
  bodyOf(await customer.api.call(updateProfile, { body: { vat_id: 'ATU87654321' } }), 200)
  expect(await kindFor(customer)).toBe('oss')
  expect(await statusFor(customer)).toMatchObject({ override: { in_force: false } })
  bodyOf(await customer.api.call(updateProfile, { body: { vat_id: 'ATU12345678' } }), 200)
  expect(bodyOf(await override(billing, customer, { treatment: 'automatic' }), 200)).toEqual({
    treatment: 'automatic',
  })
  expect(await kindFor(customer)).toBe('oss')
  const acts = await app.db
    .selectFrom('audit')
    .select(['act', 'detail'])
    .where('user_id', '=', customer.user_id)
    .where('act', '=', 'vat.overridden')
    .orderBy('id')
    .execute()
  expect(acts.map(({ detail }) => detail)).toMatchObject([
    { by: billing.user_id, approved_by: admin.user_id, treatment: 'business', vat_id: 'ATU12345678' },
    { by: billing.user_id, treatment: 'automatic' },
  ])
})

it('F-02 refuses what makes no sense, oneself, and whoever may not', async () => {
  const customer = await austrian()
  const bare = await signedInCustomer(test)
  const past = '2026-01-01T00:00:00Z'
  expect(await override(support, customer, { treatment: 'consumer' })).toMatchObject({ status: 403 })
  expect(await override(billing, billing, { treatment: 'consumer' })).toMatchObject({
    status: 403,
    body: refusal(403, 'own_account'),
  })
  expect(await override(billing, bare, { treatment: 'business' })).toMatchObject({
    body: refusal(400, 'required', 'vat_id'),
  })
  expect(await override(billing, customer, { treatment: 'business', vat_id: 'AT1' })).toMatchObject({
    body: refusal(400, 'invalid_vat_id', 'vat_id'),
  })
  expect(await override(billing, customer, { treatment: 'consumer', valid_until: past })).toMatchObject({
    body: refusal(400, 'invalid', 'valid_until'),
  })
  expect((await override(billing, customer, { treatment: 'consumer' })).status).toBe(202)
  expect(await override(billing, customer, { treatment: 'consumer' })).toMatchObject({
    body: refusal(409, 'already_proposed'),
  })
})

// Red while a dialog that had been open for long ended the decision of two colleagues.
it('rule 45: a decision that others have made meanwhile is not ended unseen', async () => {
  const customer = await austrian()
  const asked = bodyOf(await override(billing, customer, { treatment: 'business', from: 'automatic' }), 202)
  expect((await decide(admin, asked.approval.id)).status).toBe(200)
  expect(await override(billing, customer, { treatment: 'automatic', from: 'consumer' })).toMatchObject({
    body: { ...refusal(409, 'changed'), present: { treatment: 'business' } },
  })
  expect(await kindFor(customer)).toBe('reverse_charge')
  bodyOf(await override(billing, customer, { treatment: 'automatic', from: 'business' }), 200)
  expect(await kindFor(customer)).toBe('oss')
})

it('F-02 staff have a VAT id asked about at once, where there is one that counts', async () => {
  const customer = await austrian()
  const check = ({ user_id }: Customer) =>
    billing.api.call(contract.checkCustomerVatId, { params: { userId: user_id } })
  expect(bodyOf(await check(customer), 202)).toEqual({ vat_id: 'ATU12345678' })
  expect(await check(await signedInCustomer(test))).toMatchObject({
    body: refusal(409, 'no_vat_id_to_check'),
  })
})

it('F-02 lists the VAT ids that nobody has confirmed, page by page, until somebody has decided', async () => {
  const customers = [await austrian(), await austrian(), await austrian()]
  const other = await signedInCustomer(test)
  bodyOf(await other.api.call(updateProfile, { body: { country: 'FR', vat_id: 'ATU12345678' } }), 200)
  const home = await signedInCustomer(test)
  bodyOf(await home.api.call(updateProfile, { body: { country: 'DE', vat_id: 'DE123456789' } }), 200)
  const pages: { id: string; state: string }[][] = []
  let cursor: string | undefined
  do {
    const query = { limit: '2', ...(cursor ? { cursor } : {}) }
    const page = bodyOf(await support.api.call(contract.listVatIds, { query }), 200)
    pages.push(page.items.map(({ customer, state }) => ({ id: customer.id, state })))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(Math.max(...pages.map(({ length }) => length))).toBe(2)
  const listed = new Map(pages.flat().map(({ id, state }) => [id, state]))
  expect(pages.flat()).toHaveLength(listed.size)
  for (const { user_id } of customers) expect(listed.get(user_id)).toBe('waiting')
  expect(listed.get(other.user_id)).toBe('other_country')
  expect(listed.has(home.user_id)).toBe(false)
  const [first] = customers
  const asked = bodyOf(await override(billing, must(first), { treatment: 'consumer' }), 202)
  expect((await decide(admin, asked.approval.id)).status).toBe(200)
  const after = bodyOf(await support.api.call(contract.listVatIds, { query: {} }), 200).items
  expect(after.map(({ customer }) => customer.id)).not.toContain(must(first).user_id)
  expect(after.find(({ customer }) => customer.id === other.user_id)).toMatchObject({
    country: 'FR',
    vat_id: 'ATU12345678',
    asked_since: null,
  })
  expect((await home.api.call(contract.listVatIds, { query: {} })).status).toBe(403)
})
