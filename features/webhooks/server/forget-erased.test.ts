import { afterAll, expect, it } from 'vitest'
import { hostRemoved } from '#features/hosts/event-contract.ts'
import * as contract from '#features/webhooks/staff-contract.ts'
import { record } from '#foundation/server/account-events/record.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { openTo, startReceiver } from '#tests/harness/receiver/receiver.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test
const receiver = await startReceiver()
openTo(app)
afterAll(() => receiver.close())

it('O-13 what a program of the operator answered about an account is forgotten with the account, and nothing else is', async () => {
  const admin = await signedInStaff(test, { roles: ['admin'] })
  const body = { url: receiver.url('/'), types: [hostRemoved.type] }
  const { id } = bodyOf(await admin.api.call(contract.createOperatorEndpoint, { body }), 201)
  const params = { endpointId: id }
  receiver.answer('/', (response, { event }) => {
    response.writeHead(200, { 'x-name': String(event.data['name']) }).end(`got ${String(event.data['name'])}`)
  })
  const [leaving, staying] = [await signedInCustomer(test), await signedInCustomer(test)]
  await transaction(app, 'system', async (tx) => {
    record(tx, leaving.user_id, hostRemoved, { id: 'x', name: 'zebra-quilt' })
    record(tx, staying.user_id, hostRemoved, { id: 'y', name: 'velvet-ladder' })
  })
  await test.startWorker()
  const attempts = async () =>
    bodyOf(await admin.api.call(contract.listOperatorAttempts, { params }), 200).items
  const answers = async () => (await attempts()).map(({ answer }) => String(answer?.body)).toSorted()
  await expect.poll(answers).toEqual(['got velvet-ladder', 'got zebra-quilt'])
  expect((await leave(leaving)).status).toBe(204)
  await expect.poll(answers, { timeout: 10_000 }).toEqual(['', 'got velvet-ladder'])
  expect(JSON.stringify(await attempts())).not.toContain('zebra')
})
