import { expect, it, vi } from 'vitest'
import { balanceOf } from '#features/finance/server/finance.ts'
import { updateHost } from '#features/hosts/contract.ts'
import * as payers from '#features/payers/contract.ts'
import { listPaidPeriods } from '#features/sales/contract.ts'
import type { Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf } from '#tests/harness/hosts.ts'
import { addMoney } from '#tests/harness/money.ts'
import { agreed } from '#tests/harness/payers.ts'
import { anyAddress, buyer, doLicenceJobs, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const PRICE = 2368n

const periodsOf = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(listPaidPeriods, { params: { hostId }, query: {} }), 200).items.map(
    ({ kind }) => kind,
  )
const change = ({ api }: Customer, { id, version }: payers.Agreement, body: { month_limit: string }) =>
  api.call(payers.updateAgreement, { params: { agreementId: id }, body: { version, ...body } })
const endByOwner = ({ api }: Customer, { id }: payers.Agreement) =>
  api.call(payers.deleteAgreement, { params: { agreementId: id }, query: { renewals: 'own_balance' } })

/** A server with automatic renewal whose next renewal is due in less than a day, paid by its owner. */
async function dueServer() {
  const owner = await buyer(test, PRICE)
  const { id: hostId } = await addHost(owner.api, { ipv4: anyAddress() })
  const { host } = bodyOf(await orderLicence(owner, hostId), 201)
  bodyOf(await owner.api.call(updateHost, { params: { hostId }, body: { auto_renew: true } }), 200)
  return { owner, hostId, days: Math.round(host.licence.remaining_s / 86_400) - 1 + 1 / 1440 }
}

/** Lets a renewal be refused. */
async function refused({ owner, hostId, days }: Awaited<ReturnType<typeof dueServer>>): Promise<void> {
  await passTime(test, days)
  await doLicenceJobs(test)
  await test.mails.about(owner.email, /^We couldn’t renew the licence/)
  expect(await periodsOf(owner, hostId)).toEqual(['order'])
}

/** Waits for the renewal that is asked for now, without any daily step; the app's own worker may have taken its job. */
async function renewed(owner: Customer, hostId: string, payer: Customer): Promise<void> {
  const before = await balanceOf(test.app, test.app.db, payer.user_id)
  await vi.waitFor(
    async () => {
      await doLicenceJobs(test)
      expect(await periodsOf(owner, hostId)).toEqual(['auto_renewal', 'order'])
    },
    { timeout: 10_000 },
  )
  expect(await balanceOf(test.app, test.app.db, payer.user_id)).toBeLessThanOrEqual(before)
}

it('Y-04 a refused renewal is tried again as soon as the payer raises the monthly limit', async () => {
  const server = await dueServer()
  const { owner, hostId } = server
  const payer = await buyer(test, 10_000n)
  const agreement = await agreed(owner, payer, { host_ids: [hostId], month_limit: String(PRICE - 1n) })
  await refused(server)
  bodyOf(await change(payer, agreement, { month_limit: String(PRICE) }), 200)
  await renewed(owner, hostId, payer)
})

it('Y-04 a refused renewal is tried again as soon as the owner pays for the server alone', async () => {
  const server = await dueServer()
  const { owner, hostId } = server
  const agreement = await agreed(owner, await buyer(test, 0n), { host_ids: [hostId] })
  await refused(server)
  await addMoney(test.app, owner.user_id, PRICE)
  await doLicenceJobs(test)
  expect(await periodsOf(owner, hostId)).toEqual(['order'])
  bodyOf(await endByOwner(owner, agreement), 204)
  await renewed(owner, hostId, owner)
})

it('Y-04 a refused renewal is tried again as soon as somebody accepts to pay for the server', async () => {
  const server = await dueServer()
  const { owner, hostId } = server
  await refused(server)
  const payer = await buyer(test, 10_000n)
  await agreed(owner, payer, { host_ids: [hostId] })
  await renewed(owner, hostId, payer)
})

it('Y-04 a refused renewal is tried again as soon as the server joins an agreement about all servers', async () => {
  const server = await dueServer()
  const { owner, hostId } = server
  const poor = await agreed(owner, await buyer(test, 0n), { host_ids: [hostId] })
  const payer = await buyer(test, 10_000n)
  const { id: agreementId } = await agreed(owner, payer)
  await refused(server)
  bodyOf(await endByOwner(owner, poor), 204)
  await doLicenceJobs(test)
  expect(await periodsOf(owner, hostId)).toEqual(['order'])
  const { agreement } = bodyOf(await owner.api.call(payers.getAgreement, { params: { agreementId } }), 200)
  const body = { version: agreement.version, add_host_ids: [hostId] }
  bodyOf(await owner.api.call(payers.updateAgreement, { params: { agreementId }, body }), 200)
  await renewed(owner, hostId, payer)
})
