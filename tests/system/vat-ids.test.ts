import { afterAll, beforeEach, expect, it } from 'vitest'
import { checkVat } from '#app/cli/vat.ts'
import * as contract from '#features/invoices/contract.ts'
import { checkVatId } from '#features/invoices/server/check-vat-id.ts'
import { vies } from '#features/invoices/server/vies.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { startVies, viesWhole } from '#tests/harness/vies-server.ts'

// Staff and operators check VAT ids here: the real client of VIES calls a local server that speaks the protocol of VIES.
const test = await startTestApp()
const { app } = test
const server = await startVies()
afterAll(() => server.close())
Object.assign(app.config, {
  vatIds: vies(server.service, 5_000),
  company: { ...app.config.company, isMadeUp: false, vatId: 'DE811234567' },
})
const billing = await signedInStaff(test)
const here = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }

let customer: Customer
beforeEach(async () => {
  customer = await signedInCustomer(test)
  const body = { country: 'AT', vat_id: 'ATU12345678' }
  bodyOf(await customer.api.call(updateProfile, { body }), 200)
})

/** Asks for a check by the call of staff, and does the job that follows. */
async function checkByStaff(): Promise<void> {
  const params = { userId: customer.user_id }
  expect(bodyOf(await billing.api.call(contract.checkCustomerVatId, { params }), 202)).toEqual({
    vat_id: 'ATU12345678',
  })
  const [job] = (await asOwner(test, 'select payload from jobs where key = $1', [
    `vat_id:${customer.user_id}`,
  ])) as [{ payload: Parameters<typeof checkVatId>[1] }]
  await checkVatId(app, job.payload)
}
const listed = async () =>
  bodyOf(await billing.api.call(contract.listVatIds, { query: { limit: '100' } }), 200).items.find(
    (open) => open.customer.id === customer.user_id,
  )
const statusOf = async () =>
  bodyOf(await billing.api.call(contract.getCustomerVatStatus, { params: { userId: customer.user_id } }), 200)

it('F-02 what VIES confirms leaves the list, with the consultation number as evidence', async () => {
  expect(await listed()).toMatchObject({ state: 'asking', country: 'AT', vat_id: 'ATU12345678' })
  server.behave(viesWhole.valid)
  await checkByStaff()
  expect(server.asked.at(-1)).toMatchObject({ countryCode: 'AT', requesterMemberStateCode: 'DE' })
  expect(await listed()).toBeUndefined()
  const [check] = (await statusOf()).checks
  expect(await statusOf()).toMatchObject({ state: 'verified' })
  expect(check).toMatchObject({
    verdict: 'valid',
    source: 'vies',
    consultation_number: 'WAPIAAAAY2xkPZQ1',
    name: 'Muster Hosting GmbH',
    address: 'Mariahilfer Straße 90 AT-1070 Wien',
  })
  const audited = "select detail from audit where user_id = $1 and act = 'vat.checked'"
  expect(await asOwner(test, audited, [customer.user_id])).toMatchObject([
    { detail: { by: billing.user_id, verdict: 'valid', source: 'vies' } },
  ])
})

it('F-02 a VAT ID that VIES does not know is listed as invalid', async () => {
  server.behave(viesWhole.invalid)
  await checkByStaff()
  expect(await listed()).toMatchObject({ state: 'invalid', asked_since: expect.any(String) })
  expect((await statusOf()).checks[0]).toMatchObject({ verdict: 'invalid', name: '', address: '' })
})

it('F-02 while VIES is away nothing is decided, and the first yes afterwards counts', async () => {
  server.behave(viesWhole.unavailable)
  await checkByStaff()
  expect(await listed()).toMatchObject({ state: 'asking', asked_since: expect.any(String) })
  expect((await statusOf()).checks[0]).toMatchObject({ verdict: 'unverified', consultation_number: '' })
  server.behave(viesWhole.valid)
  await checkByStaff()
  expect(await listed()).toBeUndefined()
})

it('F-02 `vat check` says each of the three, fails unless it is a yes, and keeps the answer', async () => {
  const command = (name = customer.email) => checkVat(here, [name])
  server.behave(viesWhole.unavailable)
  const away = await command()
  expect(away).toMatchObject({ failed: true, data: { state: 'asking', vat_id: 'ATU12345678' } })
  expect(away.lines).toEqual([
    'ATU12345678: no answer yet; it is asked again by itself. VAT is charged until then.',
  ])
  server.behave(viesWhole.invalid)
  expect(await command()).toMatchObject({ failed: true, lines: ['ATU12345678: not valid. VAT is charged.'] })
  server.behave(viesWhole.valid)
  expect(await command(customer.user_id)).toMatchObject({
    failed: false,
    lines: ['ATU12345678: confirmed. No VAT is charged (reverse charge).'],
  })
  const verdicts = (await statusOf()).checks.map(({ verdict }) => verdict)
  expect(verdicts).toEqual(['valid', 'invalid', 'unverified'])
})

it('F-02 nobody is asked where nothing depends on it', async () => {
  const before = server.asked.length
  const bare = await signedInCustomer(test)
  const params = { userId: bare.user_id }
  expect(await billing.api.call(contract.checkCustomerVatId, { params })).toMatchObject({
    body: refusal(409, 'no_vat_id_to_check'),
  })
  await expect(checkVat(here, [bare.email])).rejects.toThrow(Refused)
  await expect(checkVat(here, ['nobody@example.org'])).rejects.toThrow(NotFound)
  expect(server.asked).toHaveLength(before)
})
