import { describe, expect, it } from 'vitest'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { deleteHost, updateHost } from '#features/hosts/contract.ts'
import * as contract from '#features/payers/contract.ts'
import type { Side } from '#features/payers/rules.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { personalFiles } from '#features/profile/server/profile.ts'
import { addHost, asOwner, bodyOf, getHost, paidHost, refusal } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { lockPayers } from './payers.ts'
import { expireOffers } from './endings.ts'

const test = await startTestApp()
const { app, mails } = test
const DAY_MS = 86_400_000

type Terms = { side?: Side; all_hosts?: boolean; host_ids?: string[]; pays?: 'all'; month_limit?: string }

type Change = InputOf<typeof contract.updateAgreement>['body']

const propose = ({ api }: Customer, email: string, { side = 'owner', all_hosts = false, ...terms }: Terms) =>
  api.call(contract.createAgreement, {
    headers: {},
    body: { email, side, all_hosts, pays: 'renewals', ...terms },
  })
const accept = ({ api }: Customer, agreementId: string, body: { version: number; host_ids?: string[] }) =>
  api.call(contract.acceptAgreement, { params: { agreementId }, body })
const update = ({ api }: Customer, agreementId: string, body: Change) =>
  api.call(contract.updateAgreement, { params: { agreementId }, body })
const end = ({ api }: Customer, agreementId: string, renewals?: 'own_balance') =>
  api.call(contract.deleteAgreement, { params: { agreementId }, query: renewals ? { renewals } : {} })
const get = ({ api }: Customer, agreementId: string) =>
  api.call(contract.getAgreement, { params: { agreementId } })
const decline = ({ api }: Customer, agreementId: string) =>
  api.call(contract.declineAgreement, { params: { agreementId } })
const listOf = async ({ api }: Customer, side: Side) =>
  bodyOf(await api.call(contract.listAgreements, { query: { side } }), 200).items
const rowOf = async (public_id: string): Promise<bigint> =>
  BigInt(
    must(
      (await asOwner(test, 'select id::text from hosts where public_id = $1', [public_id]))[0] as {
        id: string
      },
    ).id,
  )
const payerOf = async (public_id: string): Promise<string | undefined> => {
  const id = await rowOf(public_id)
  return (await transaction(app, 'system', (tx) => lockPayers(tx, [id])))[0]?.payer_id
}
const renews = async ({ api }: Customer, hostId: string) =>
  bodyOf(await api.call(updateHost, { params: { hostId }, body: { auto_renew: true } }), 200)
const customers = () => Promise.all([signedInCustomer(test), signedInCustomer(test), signedInCustomer(test)])

/** An accepted agreement for one server of the owner, and a third customer. */
async function pair(terms: Terms = {}) {
  const [owner, payer, other] = await customers()
  const host = await paidHost(test, owner, DAY_MS)
  const asked = bodyOf(await propose(owner, payer.email, { host_ids: [host.id], ...terms }), 201)
  const agreement = bodyOf(await accept(payer, asked.id, { version: asked.version }), 200)
  return { owner, payer, other, host, agreement }
}

describe('Y-01 a payment agreement', () => {
  it('is asked for by mail without a key, and accepted by who has proven the address', async () => {
    const [owner, payer, other] = await customers()
    const host = await addHost(owner.api, {})
    const asked = bodyOf(await propose(owner, payer.email, { host_ids: [host.id], month_limit: '3000' }), 201)
    expect(asked).toMatchObject({ account: null, state: 'offered', requested_hosts: 1, hosts: 0 })
    const mail = await mails.next(payer.email)
    expect(mail.text).toContain('/account/finances/paid-for')
    expect(mail.text).not.toContain(asked.id)
    expect(await listOf(payer, 'payer')).toMatchObject([{ id: asked.id, account: { id: owner.user_id } }])
    expect(await listOf(other, 'payer')).toEqual([])
    for (const somebody of [other, owner])
      expect((await accept(somebody, asked.id, { version: 1 })).status).toBe(somebody === owner ? 409 : 404)
    expect(await payerOf(host.id)).toBeUndefined()
    bodyOf(await accept(payer, asked.id, { version: asked.version }), 200)
    expect(await payerOf(host.id)).toBe(payer.user_id)
    expect(await listOf(owner, 'owner')).toMatchObject([
      { state: 'active', hosts: 1, requested_hosts: 0, account: { id: payer.user_id } },
    ])
    expect((await mails.next(owner.email)).subject).toContain('now pays for your licences')
  })
  it('is not accepted with an address that is only claimed, nor without a recent proof', async () => {
    const [owner, claimant] = await Promise.all([
      signedInCustomer(test),
      signedInCustomer(test, { verified: false }),
    ])
    const asked = bodyOf(await propose(owner, claimant.email, { all_hosts: true }), 201)
    expect((await accept(claimant, asked.id, { version: 1 })).status).toBe(404)
    const payer = await signedInCustomer(test)
    const other = bodyOf(await propose(owner, payer.email, { all_hosts: true }), 201)
    await asOwner(
      test,
      `update sessions set methods = jsonb_set(methods, '{0,at}', to_jsonb(extract(epoch from now()) - 301)) where user_id = any($1)`,
      [[payer.user_id, owner.user_id]],
    )
    expect((await accept(payer, other.id, { version: 1 })).body).toMatchObject(
      refusal(403, 'reauthentication_required'),
    )
    expect((await propose(owner, anyEmail(), { all_hosts: true })).body).toMatchObject(
      refusal(403, 'reauthentication_required'),
    )
  })
  it('answers the same whether the address is known, and refuses doubles, own addresses and foreign servers', async () => {
    const [owner, known, stranger] = await customers()
    const answers = [
      await propose(owner, known.email, { all_hosts: true }),
      await propose(owner, anyEmail(), { all_hosts: true }),
    ]
    const [one, other] = answers.map((answer) => ({
      ...bodyOf(answer, 201),
      id: '',
      email: '',
      created_at: '',
      expires_at: '',
    }))
    expect(one).toEqual(other)
    expect((await propose(owner, known.email, { all_hosts: true })).body).toMatchObject(
      refusal(409, 'agreement_open', 'email'),
    )
    expect((await propose(owner, owner.email, { all_hosts: true })).body).toMatchObject(
      refusal(400, 'own_address', 'email'),
    )
    expect((await propose(owner, anyEmail(), { host_ids: [] })).body).toMatchObject(
      refusal(400, 'host_required', 'host_ids'),
    )
    const theirs = await addHost(stranger.api, {})
    expect((await propose(owner, anyEmail(), { host_ids: [theirs.id] })).body).toMatchObject(
      refusal(400, 'unknown_host', 'host_ids'),
    )
  })
  it('is offered by the payer, who sees no server before the owner has chosen', async () => {
    const [owner, payer] = await customers()
    const host = await addHost(owner.api, {})
    const offer = bodyOf(await propose(payer, owner.email, { side: 'payer', pays: 'all' }), 201)
    expect(bodyOf(await get(payer, offer.id), 200).hosts).toEqual([])
    expect((await accept(owner, offer.id, { version: 1 })).body).toMatchObject(
      refusal(400, 'host_required', 'host_ids'),
    )
    bodyOf(await accept(owner, offer.id, { version: 1, host_ids: [host.id] }), 200)
    expect(await payerOf(host.id)).toBe(payer.user_id)
    expect(bodyOf(await get(payer, offer.id), 200).hosts).toMatchObject([{ id: host.id, requested: false }])
  })
  it('ends by declining, and after 14 days', async () => {
    const [owner, payer] = await customers()
    const first = bodyOf(await propose(owner, payer.email, { all_hosts: true }), 201)
    expect((await decline(payer, first.id)).status).toBe(204)
    // Seen red while an offer that was declined, or that nobody answered, was simply gone.
    expect((await mails.next(owner.email)).text).toContain(`${payer.email} has declined`)
    expect((await accept(payer, first.id, { version: 1 })).body).toMatchObject(
      refusal(409, 'invitation_over'),
    )
    const second = bodyOf(await propose(owner, payer.email, { all_hosts: true }), 201)
    await asOwner(test, `update payment_agreements set expires_at = now() where id = $1`, [second.id])
    expect((await accept(payer, second.id, { version: 1 })).body).toMatchObject(
      refusal(409, 'invitation_over'),
    )
    await transaction(app, 'system', (tx) => expireOffers(app, tx))
    expect((await mails.next(owner.email)).text).toContain(`${payer.email} didn’t answer within 14 days`)
    expect(await asOwner(test, 'select state from payment_agreements where id = $1', [second.id])).toEqual([
      { state: 'expired' },
    ])
  })
  it('is not accepted if the owner has added servers since the payer read it; the answer shows the present number', async () => {
    const [owner, payer] = await customers()
    const [one, two] = [await addHost(owner.api, {}), await addHost(owner.api, {})]
    const asked = bodyOf(await propose(owner, payer.email, { host_ids: [one.id] }), 201)
    bodyOf(await update(owner, asked.id, { add_host_ids: [two.id], version: 1 }), 200)
    expect((await accept(payer, asked.id, { version: 1 })).body).toMatchObject({
      ...refusal(409, 'changed'),
      present: { requested_hosts: 2, version: 2 },
    })
    expect(await payerOf(one.id)).toBeUndefined()
  })
})

describe('Y-02 the servers of an agreement', () => {
  it('have one payer: a second one is refused, and so is a second agreement with the same', async () => {
    const { owner, payer, other, host } = await pair()
    const more = await addHost(owner.api, {})
    expect((await propose(owner, payer.email, { host_ids: [more.id] })).body).toMatchObject(
      refusal(409, 'agreement_open', 'email'),
    )
    const offer = bodyOf(await propose(payer, owner.email, { side: 'payer' }), 201)
    expect((await accept(owner, offer.id, { version: 1, host_ids: [more.id] })).body).toMatchObject(
      refusal(409, 'agreement_open'),
    )
    expect((await propose(owner, other.email, { host_ids: [host.id] })).body).toMatchObject(
      refusal(409, 'host_has_payer', 'host_ids'),
    )
  })
  it('are shown to the payer with the next charges of 12 months, and nothing else', async () => {
    const { owner, payer, other, host, agreement } = await pair()
    await renews(owner, host.id)
    const { hosts, total } = bodyOf(await get(payer, agreement.id), 200)
    expect(hosts).toMatchObject([{ id: host.id, name: 'paid', plan: { en: expect.any(String) as string } }])
    expect(must(hosts[0]).charges).toHaveLength(12)
    const sum = must(hosts[0]).charges.reduce((all, charge) => all + BigInt(charge.total.amount), 0n)
    expect(total.amount).toBe(sum.toString())
    expect(Object.keys(must(hosts[0])).toSorted()).toEqual([
      'charges',
      'id',
      'name',
      'paid_until',
      'plan',
      'requested',
    ])
    expect((await getHost(payer.api, host.id)).status).toBe(404)
    expect((await get(other, agreement.id)).status).toBe(404)
  })
  it('are added by the owner with the consent of the payer, and removed without', async () => {
    const { owner, payer, host, agreement } = await pair()
    await mails.next(payer.email)
    const added = await addHost(owner.api, {})
    const { version } = bodyOf(
      await update(owner, agreement.id, { add_host_ids: [added.id], version: agreement.version }),
      200,
    )
    expect(await payerOf(added.id)).toBeUndefined()
    const about = async (host_id: string) =>
      bodyOf(await owner.api.call(contract.listAgreements, { query: { side: 'owner', host_id } }), 200).items
    expect(await about(added.id)).toMatchObject([{ host_state: 'requested', state: 'active' }])
    expect(await about(host.id)).toMatchObject([{ host_state: 'paid' }])
    expect((await mails.next(payer.email)).subject).toContain('more licences')
    const accepted = bodyOf(await accept(payer, agreement.id, { version }), 200)
    expect(await payerOf(added.id)).toBe(payer.user_id)
    await renews(owner, host.id)
    bodyOf(await update(owner, agreement.id, { remove_host_ids: [host.id], version: accepted.version }), 200)
    expect(await payerOf(host.id)).toBeUndefined()
    expect(bodyOf(await getHost(owner.api, host.id), 200).auto_renew).toBe(false)
  })
  it('are all, with those to come, where the payer agreed to all', async () => {
    const [owner, payer, other] = await customers()
    const host = await addHost(owner.api, {})
    const asked = bodyOf(await propose(owner, payer.email, { all_hosts: true }), 201)
    const second = bodyOf(await propose(owner, other.email, { all_hosts: true }), 201)
    bodyOf(await accept(payer, asked.id, { version: 1 }), 200)
    const later = await addHost(owner.api, {})
    expect([await payerOf(host.id), await payerOf(later.id)]).toEqual([payer.user_id, payer.user_id])
    expect((await accept(other, second.id, { version: 1 })).body).toMatchObject(
      refusal(409, 'host_has_payer', 'all_hosts'),
    )
  })
  it('leave their payer when they are deleted', async () => {
    const { owner, host } = await pair()
    const deleted = await owner.api.call(deleteHost, {
      params: { hostId: host.id },
      query: { name: host.name },
    })
    expect(deleted.status).toBe(204)
    expect(await payerOf(host.id)).toBeUndefined()
  })
})

describe('Y-03 limit and end', () => {
  it('lets the payer alone change the limit, from what they saw', async () => {
    const { owner, payer, agreement } = await pair()
    const { version } = agreement
    expect((await update(owner, agreement.id, { month_limit: '1', version })).body).toMatchObject(
      refusal(403, 'not_your_side'),
    )
    expect(
      (await update(payer, agreement.id, { remove_host_ids: ['A'.repeat(22)], version })).body,
    ).toMatchObject(refusal(403, 'not_your_side'))
    expect((await update(payer, agreement.id, { month_limit: '0', version })).status).toBe(400)
    expect(bodyOf(await update(payer, agreement.id, { month_limit: '3000', version }), 200)).toMatchObject({
      month_limit: { amount: '3000' },
    })
    expect((await update(payer, agreement.id, { month_limit: '1', version })).body).toMatchObject(
      refusal(409, 'changed'),
    )
    await asOwner(
      test,
      `update sessions set methods = jsonb_set(methods, '{0,at}', to_jsonb(extract(epoch from now()) - 301)) where user_id = $1`,
      [payer.user_id],
    )
    for (const month_limit of ['3001', null])
      expect((await update(payer, agreement.id, { month_limit, version: version + 1 })).body).toMatchObject(
        refusal(403, 'reauthentication_required'),
      )
    bodyOf(await update(payer, agreement.id, { month_limit: '2999', version: version + 1 }), 200)
  })
  it.each([
    { by: 'payer', renewals: undefined, renewing: false },
    { by: 'owner', renewals: undefined, renewing: false },
    { by: 'owner', renewals: 'own_balance', renewing: true },
    { by: 'payer', renewals: 'own_balance', renewing: false },
  ] as const)(
    'ends by the $by ($renewals): the renewal is on: $renewing',
    async ({ by, renewals, renewing }) => {
      const { owner, payer, host, agreement } = await pair()
      await renews(owner, host.id)
      for (const { email } of [owner, payer]) await mails.next(email)
      expect((await end(by === 'owner' ? owner : payer, agreement.id, renewals)).status).toBe(204)
      expect(await payerOf(host.id)).toBeUndefined()
      expect(bodyOf(await getHost(owner.api, host.id), 200).auto_renew).toBe(renewing)
      expect((await mails.next(owner.email)).text).toContain(host.name)
      expect((await mails.next(payer.email)).text).toContain(host.name)
      expect(await listOf(owner, 'owner')).toEqual([])
      expect((await end(owner, agreement.id)).status).toBe(404)
    },
  )
  it('cannot be changed by an account that is neither owner nor payer, which gets 404', async () => {
    const { other, agreement } = await pair()
    expect((await end(other, agreement.id)).status).toBe(404)
    expect((await update(other, agreement.id, { month_limit: '1', version: 1 })).status).toBe(404)
  })
  it('ends with the account of either side, whose address is erased', async () => {
    const { owner, payer, host, agreement } = await pair()
    await renews(owner, host.id)
    await mails.next(owner.email)
    await leave(payer)
    expect(await payerOf(host.id)).toBeUndefined()
    expect(bodyOf(await getHost(owner.api, host.id), 200).auto_renew).toBe(false)
    expect((await mails.next(owner.email)).subject).toContain('no longer pays')
    const erased = { state: 'ended', ended_by: 'system', email: null }
    const columns = 'select state, ended_by, email from payment_agreements where id = $1'
    expect(await asOwner(test, columns, [agreement.id])).toEqual([erased])
    const second = await pair()
    await leave(second.owner)
    expect(await asOwner(test, columns, [second.agreement.id])).toEqual([erased])
    expect(await listOf(second.payer, 'payer')).toEqual([])
  })
})

it('is in the audit of the owner and in the data of both', async () => {
  const { owner, payer, agreement } = await pair({ month_limit: '3000' })
  await end(payer, agreement.id)
  const acts = await asOwner(
    test,
    `select act, detail->>'by' as by from audit where user_id = $1 and act like 'agreement.%' order by id`,
    [owner.user_id],
  )
  expect(acts).toEqual([
    { act: 'agreement.offered', by: null },
    { act: 'agreement.accepted', by: payer.user_id },
    { act: 'agreement.ended', by: payer.user_id },
  ])
  const second = await pair()
  for (const [{ user_id }, side] of [
    [second.owner, 'owner'],
    [second.payer, 'payer'],
  ] as const) {
    const files = await transaction(app, 'system', (tx) => personalFiles(app, tx, user_id))
    const file = must(files.find(({ path }) => path === 'agreements.json'))
    expect(await file.read()).toMatchObject({ [side]: [{ id: second.agreement.id, side }] })
  }
})
