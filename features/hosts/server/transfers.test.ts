import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { deleteHost, offerForCustomer } from '#features/hosts/contract.ts'
import { personalFiles } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, getHost, refusal } from '#tests/harness/hosts.ts'
import { debtor, pullBack } from '#tests/harness/debtor.ts'
import { leave } from '#tests/harness/leaving.ts'
import { addMoney } from '#tests/harness/money.ts'
import { orderLicence, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import {
  accept,
  decline,
  offer,
  offered,
  transferred,
  transfersOf,
  withdraw,
} from '#tests/harness/transfers.ts'
import { expireTransfer, sweepTransfers } from './transfers.ts'

const test = await startTestApp()
const { app, mails } = test

const people = () => Promise.all([signedInCustomer(test), signedInCustomer(test), signedInCustomer(test)])
/** A server, its owner, the account that it is offered to, and somebody else. */
async function pair(name = 'web-1') {
  const [owner, receiver, other] = await people()
  const host = await addHost(owner.api, { name })
  return { owner, receiver, other, host }
}
const statesOf = async ({ user_id }: Customer) =>
  (
    await asOwner(test, 'select state from host_transfers where user_id = $1 order by created_at', [user_id])
  ).map((row) => (row as { state: string }).state)
const isOver = (id: string) =>
  asOwner(test, `update host_transfers set expires_at = now() - interval '1 second' where id = $1`, [id])
const actsOf = ({ user_id }: Customer) =>
  asOwner(
    test,
    `select act, detail->>'by' as by, detail->>'from' as from, host(ip) as ip from audit
      where user_id = $1 and act like 'host.transfer%' order by id`,
    [user_id],
  )

describe('O-05 a server is offered to another account', () => {
  it('by a mail without a key, and accepted by who has proven the address, once', async () => {
    const { owner, receiver, other, host } = await pair()
    const transfer = await offered(owner, receiver, host.id)
    expect(transfer).toMatchObject({ side: 'given', account: null, email: receiver.email })
    const days = (Date.parse(transfer.expires_at) - Date.parse(transfer.created_at)) / 86_400_000
    expect(days).toBe(7)
    const mail = await mails.about(receiver.email, /^A server or licence is offered to you /)
    expect(mail.text).toContain('/account/settings/people')
    expect(mail.text).not.toContain(transfer.id)
    expect(await transfersOf(receiver, 'received')).toMatchObject([
      {
        id: transfer.id,
        side: 'received',
        account: { id: owner.user_id },
        host: { name: 'web-1', plan: null },
      },
    ])
    expect([await transfersOf(other, 'received'), await transfersOf(owner, 'received')]).toEqual([[], []])
    for (const somebody of [other, owner]) {
      expect((await accept(somebody, transfer.id)).status).toBe(404)
      expect((await decline(somebody, transfer.id)).status).toBe(404)
    }
    expect((await getHost(receiver.api, host.id)).status).toBe(404)
    expect(bodyOf(await accept(receiver, transfer.id), 200)).toMatchObject({ id: host.id, name: 'web-1' })
    expect((await accept(receiver, transfer.id)).body).toMatchObject(refusal(409, 'transfer_over'))
    expect([
      (await getHost(owner.api, host.id)).status,
      (await getHost(receiver.api, host.id)).status,
    ]).toEqual([404, 200])
    expect(await transfersOf(receiver, 'received')).toEqual([])
    expect((await mails.about(owner.email, / has a new owner$/)).text).toContain('invoices')
    expect((await mails.about(receiver.email, /^Now yours: /)).text).toContain(
      `/account/servers/host/${host.id}`,
    )
    expect(await actsOf(owner)).toMatchObject([
      { act: 'host.transfer_offered', by: null },
      { act: 'host.transferred', by: receiver.user_id, ip: null },
    ])
    expect(await actsOf(receiver)).toMatchObject([{ act: 'host.transferred', from: owner.user_id }])
  })
  it('by staff for its owner, who may withdraw it; neither side may be their own account', async () => {
    const { owner, receiver, other, host } = await pair()
    const staff = await signedInStaff(test)
    const byStaff = (hostId: string, email: string, by = staff) =>
      by.api.call(offerForCustomer, { params: { hostId }, body: { email, note: 'Asked by phone' } })
    expect((await byStaff(host.id, receiver.email, other)).status).toBe(403)
    const own = await addHost(staff.api, {})
    for (const [hostId, email] of [
      [own.id, receiver.email],
      [host.id, staff.email],
    ] as const)
      expect((await byStaff(hostId, email)).body).toMatchObject(refusal(403, 'own_account'))
    expect((await byStaff(host.id, owner.email)).body).toMatchObject(refusal(400, 'own_address', 'email'))
    const { id } = bodyOf(await byStaff(host.id, receiver.email), 201)
    expect((await byStaff(host.id, receiver.email)).body).toMatchObject(refusal(409, 'transfer_open'))
    expect((await mails.about(owner.email, / is offered to another account$/)).text).toContain(receiver.email)
    expect(await actsOf(owner)).toMatchObject([{ act: 'host.transfer_offered', by: staff.user_id }])
    expect((await withdraw(owner, host.id)).status).toBe(204)
    expect((await accept(receiver, id)).body).toMatchObject(refusal(409, 'transfer_over'))
    const again = bodyOf(await byStaff(host.id, receiver.email), 201)
    expect(bodyOf(await accept(receiver, again.id), 200)).toMatchObject({ id: host.id })
  })
  it('with a recent proof, its name typed, and to nobody who only claims the address', async () => {
    const { owner, host } = await pair()
    const claimant = await signedInCustomer(test, { verified: false })
    expect((await offer(owner, host.id, { email: anyEmail(), name: 'web-2' })).body).toMatchObject(
      refusal(400, 'name_mismatch', 'name'),
    )
    expect((await offer(owner, host.id, { email: owner.email, name: 'web-1' })).body).toMatchObject(
      refusal(400, 'own_address', 'email'),
    )
    const { id } = await offered(owner, claimant, host.id)
    expect([(await accept(claimant, id)).status, await transfersOf(claimant, 'received')]).toEqual([404, []])
    const late = await signedInCustomer(test, { proven_s_ago: 301 })
    const theirs = await addHost(late.api, {})
    expect((await offer(late, theirs.id, { email: anyEmail(), name: theirs.name })).body).toMatchObject(
      refusal(403, 'reauthentication_required'),
    )
  })
  it('with the same answer whether the address is known; to one at a time, and the same for the same key', async () => {
    const { owner, receiver, other, host } = await pair()
    const second = await addHost(owner.api, { name: 'web-1' })
    const key = randomUUID()
    const known = bodyOf(await offer(owner, host.id, { email: receiver.email, name: 'web-1', key }), 201)
    const again = bodyOf(await offer(owner, host.id, { email: receiver.email, name: 'web-1', key }), 201)
    expect(again).toEqual(known)
    const email = anyEmail()
    const unknown = bodyOf(await offer(owner, second.id, { email, name: 'web-1' }), 201)
    const same = { id: '', email: '', host: {}, created_at: '', expires_at: '' }
    expect({ ...known, ...same }).toEqual({ ...unknown, ...same })
    expect((await offer(owner, host.id, { email: other.email, name: 'web-1' })).body).toMatchObject(
      refusal(409, 'transfer_open'),
    )
    // An account that proves the address later finds the offer.
    expect(await transfersOf(await signedInCustomer(test, { email }), 'received')).toHaveLength(1)
  })
  it('and withdrawn by its owner, or declined, with a mail to the other side', async () => {
    const { owner, receiver, other, host } = await pair()
    const first = await offered(owner, receiver, host.id)
    expect((await withdraw(other, host.id)).status).toBe(404)
    bodyOf(await withdraw(owner, host.id), 204)
    expect((await withdraw(owner, host.id)).status).toBe(404)
    expect((await mails.about(receiver.email, /^An offer to you /)).text).toContain('web-1')
    expect((await accept(receiver, first.id)).body).toMatchObject(refusal(409, 'transfer_over'))
    const second = await offered(owner, receiver, host.id)
    bodyOf(await decline(receiver, second.id), 204)
    expect((await decline(receiver, second.id)).body).toMatchObject(refusal(409, 'transfer_over'))
    expect((await mails.about(owner.email, / wasn’t transferred$/)).text).toContain('was declined')
    expect(await statesOf(owner)).toEqual(['withdrawn', 'declined'])
    expect((await getHost(owner.api, host.id)).status).toBe(200)
  })
  it('and over after 7 days: the job says so by mail once, a lost one is found again, and it can be offered anew', async () => {
    const { owner, receiver, host } = await pair()
    const first = await offered(owner, receiver, host.id)
    await expireTransfer(app, { id: first.id })
    expect(await statesOf(owner)).toEqual(['offered'])
    await isOver(first.id)
    expect((await accept(receiver, first.id)).body).toMatchObject(refusal(409, 'transfer_over'))
    expect([await transfersOf(owner, 'given'), (await withdraw(owner, host.id)).status]).toEqual([[], 404])
    await Promise.all([expireTransfer(app, { id: first.id }), expireTransfer(app, { id: first.id })])
    expect(await statesOf(owner)).toEqual(['expired'])
    expect((await mails.about(owner.email, / wasn’t transferred$/)).text).toContain(
      'wasn’t accepted within 7 days',
    )
    const second = await offered(owner, receiver, host.id)
    await asOwner(
      test,
      `with lost as (delete from jobs where key = 'transfer:' || $1)
        update host_transfers set expires_at = now() - interval '1 minute' where id = $1::uuid`,
      [second.id],
    )
    await sweepTransfers(app)
    await vi.waitFor(async () => expect(await statesOf(owner)).toEqual(['expired', 'expired']), {
      timeout: 10_000,
    })
    // An expired offer whose job has not run yet does not prevent a new offer.
    const third = await offered(owner, receiver, host.id)
    await isOver(third.id)
    await offered(owner, receiver, host.id)
    expect(await statesOf(owner)).toEqual(['expired', 'expired', 'expired', 'offered'])
  })
  it('but not while it is suspended, nor while the owner owes something or is blocked, which the other side is not told', async () => {
    const { owner, receiver, host } = await pair()
    const { id } = await offered(owner, receiver, host.id)
    const impossible = async () =>
      expect((await accept(receiver, id)).body).toMatchObject(refusal(409, 'transfer_not_possible'))
    await asOwner(
      test,
      `insert into suspensions (host_id, user_id, reason, text_public, text_internal)
        select id, user_id, 'abuse', 'x', 'x' from hosts where public_id = $1`,
      [host.id],
    )
    await impossible()
    bodyOf(await withdraw(owner, host.id), 204)
    const again = () => offer(owner, host.id, { email: receiver.email, name: 'web-1' })
    expect((await again()).body).toMatchObject(refusal(409, 'host_suspended'))
    await asOwner(test, 'update suspensions set lifted_at = clock_timestamp() where user_id = $1', [
      owner.user_id,
    ])
    const second = bodyOf(await again(), 201)
    const access = (now: string) =>
      asOwner(test, `update users set access = $2 where id = $1`, [owner.user_id, now])
    await access('blocked')
    expect((await accept(receiver, second.id)).body).toMatchObject(refusal(409, 'transfer_not_possible'))
    expect((await again()).body).toMatchObject({ errors: [{ code: 'account_blocked' }] })
    bodyOf(await withdraw(owner, host.id), 204)
    await access('open')
    bodyOf(await again(), 201)
  })
  it('but not while the balance of its owner is below zero, which also stops the acceptance of an earlier offer', async () => {
    await stockShop(test)
    const owner = await debtor(test, 1)
    const receiver = await signedInCustomer(test)
    const [hostId = ''] = owner.hostIds
    const { name } = bodyOf(await getHost(owner.api, hostId), 200)
    expect((await offer(owner, hostId, { email: receiver.email, name })).body).toMatchObject(
      refusal(409, 'balance_below_zero'),
    )
    await addMoney(app, owner.user_id, 10_000n)
    const { id } = await offered(owner, receiver, hostId)
    const { transaction_id } = await addMoney(app, owner.user_id, 10_000n)
    bodyOf(await orderLicence(owner, hostId, { plan: 'standard-quarter' }), 201)
    bodyOf(await orderLicence(owner, hostId, { plan: 'standard-quarter' }), 201)
    await pullBack(test, owner, transaction_id)
    expect((await accept(receiver, id)).body).toMatchObject(refusal(409, 'transfer_not_possible'))
  })
})

describe('O-05 an offer ends', () => {
  it('with the server', async () => {
    const { owner, receiver, host } = await pair()
    const { id } = await offered(owner, receiver, host.id)
    bodyOf(await owner.api.call(deleteHost, { params: { hostId: host.id }, query: { name: 'web-1' } }), 204)
    expect((await mails.about(receiver.email, /^An offer to you /)).text).toContain('web-1')
    expect((await accept(receiver, id)).body).toMatchObject(refusal(409, 'transfer_over'))
  })
  it('with either account, whose address is forgotten', async () => {
    const { owner, receiver, other, host } = await pair()
    await transferred(owner, receiver, host.id)
    await offered(receiver, other, host.id)
    await leave(other)
    expect((await mails.about(receiver.email, / wasn’t transferred$/)).text).toContain(
      'can no longer be accepted',
    )
    expect(await statesOf(receiver)).toEqual(['ended'])
    await offered(receiver, owner, host.id)
    await leave(receiver)
    await mails.about(owner.email, /^An offer to you /)
    expect(await transfersOf(owner, 'received')).toEqual([])
    const named = await asOwner(test, 'select from host_transfers where email = any($1)', [
      [other.email, receiver.email],
    ])
    expect(named).toEqual([])
  })
  it('and is in the copy of the data of both, without what the server is called afterwards', async () => {
    const { owner, receiver, host } = await pair()
    await transferred(owner, receiver, host.id)
    const file = async ({ user_id }: Customer) => {
      const files = await transaction(app, 'system', (tx) => personalFiles(app, tx, user_id))
      return must(files.find(({ path }) => path === 'transfers.json')).read()
    }
    expect(await file(owner)).toMatchObject({
      given: [{ state: 'accepted', host: null, email: receiver.email }],
      received: [],
    })
    expect(await file(receiver)).toMatchObject({ given: [], received: [{ host: 'web-1' }] })
  })
})
