import { describe, expect, it } from 'vitest'
import * as hosts from '#features/hosts/contract.ts'
import { renewLicenceKey, renewLicenceKeys } from '#features/hosts/key-contract.ts'
import { leave } from '#tests/harness/leaving.ts'
import * as contract from '#features/sharing/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, getHost, paidHost, patchHost, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { expireInvitations } from './received.ts'

const test = await startTestApp()
const { app, mails } = test

type Scope = { all_hosts?: boolean; host_ids?: string[]; needs_second_factor?: boolean }

const invite = (owner: Customer, email: string, { all_hosts = true, ...scope }: Scope = {}) =>
  owner.api.call(contract.createGrant, { body: { email, role: 'technical', all_hosts, ...scope } })
const accept = ({ api }: Customer, grantId: string) => api.call(contract.acceptGrant, { params: { grantId } })
const decline = ({ api }: Customer, grantId: string) =>
  api.call(contract.declineGrant, { params: { grantId } })
const remove = ({ api }: Customer, grantId: string) => api.call(contract.deleteGrant, { params: { grantId } })
const listOf = async ({ api }: Customer, side: 'given' | 'received') =>
  bodyOf(await api.call(contract.listGrants, { query: { side } }), 200).items
const hostsFor = ({ api }: Customer, account: string) =>
  api.call(hosts.listHosts, { query: { for: account } })

async function pair(scope: Scope = {}) {
  const [owner, grantee] = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
  const { id } = bodyOf(await invite(owner, grantee.email, scope), 201)
  bodyOf(await accept(grantee, id), 200)
  return { owner, grantee, id }
}

describe('O-01 invitations', () => {
  it('are mailed without a key, and accepted by who has proven the address', async () => {
    const [owner, grantee, other] = await Promise.all([
      signedInCustomer(test),
      signedInCustomer(test),
      signedInCustomer(test),
    ])
    const grant = bodyOf(await invite(owner, grantee.email), 201)
    expect(grant).toMatchObject({ account: null, email: grantee.email, state: 'invited', version: 1 })
    const mail = await mails.next(grantee.email)
    expect(mail.text).toContain('/account/settings/people')
    expect(mail.text).not.toContain(grant.id)
    expect(await listOf(grantee, 'received')).toMatchObject([
      { id: grant.id, account: { id: owner.user_id }, state: 'invited' },
    ])
    expect(await listOf(other, 'received')).toEqual([])
    expect((await accept(other, grant.id)).body).toMatchObject(refusal(404, 'not_found'))
    expect((await accept(owner, grant.id)).body).toMatchObject(refusal(404, 'not_found'))
    bodyOf(await accept(grantee, grant.id), 200)
    expect(await listOf(owner, 'given')).toMatchObject([
      { state: 'active', account: { id: grantee.user_id } },
    ])
    expect((await mails.next(owner.email)).subject).toContain('now helps')
  })
  it('are neither listed to nor accepted by an account whose email address is not verified', async () => {
    const [owner, claimant] = await Promise.all([
      signedInCustomer(test),
      signedInCustomer(test, { verified: false }),
    ])
    const { id } = bodyOf(await invite(owner, claimant.email), 201)
    expect(await listOf(claimant, 'received')).toEqual([])
    expect((await accept(claimant, id)).status).toBe(404)
  })
  it('answer the same whether the address is known or not, and refuse the own, doubles and foreign servers', async () => {
    const [owner, known, stranger] = await Promise.all([
      signedInCustomer(test),
      signedInCustomer(test),
      signedInCustomer(test),
    ])
    const unknown = anyEmail()
    const answers = [await invite(owner, known.email), await invite(owner, unknown)]
    const [one, other] = answers.map((answer) => ({
      ...bodyOf(answer, 201),
      id: '',
      email: '',
      created_at: '',
      expires_at: '',
    }))
    expect(one).toEqual(other)
    expect((await invite(owner, known.email)).body).toMatchObject(refusal(409, 'already_shared', 'email'))
    expect((await invite(owner, owner.email)).body).toMatchObject(refusal(400, 'own_address', 'email'))
    const some = { all_hosts: false, host_ids: [] as string[] }
    expect((await invite(owner, anyEmail(), some)).body).toMatchObject(
      refusal(400, 'host_required', 'host_ids'),
    )
    const theirs = await addHost(stranger.api, {})
    expect((await invite(owner, anyEmail(), { ...some, host_ids: [theirs.id] })).body).toMatchObject(
      refusal(400, 'unknown_host', 'host_ids'),
    )
  })
  it('end by declining, and after 14 days', async () => {
    const [owner, grantee] = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
    const first = bodyOf(await invite(owner, grantee.email), 201)
    expect((await decline(grantee, first.id)).status).toBe(204)
    // Seen red while an invitation that was declined, or that nobody answered, was simply gone.
    expect((await mails.next(owner.email)).text).toContain(`${grantee.email} has declined`)
    expect((await accept(grantee, first.id)).body).toMatchObject(refusal(409, 'invitation_over'))
    const second = bodyOf(await invite(owner, grantee.email), 201)
    await asOwner(test, `update account_grants set expires_at = now() - interval '1 second' where id = $1`, [
      second.id,
    ])
    expect((await accept(grantee, second.id)).body).toMatchObject(refusal(409, 'invitation_over'))
    expect(await listOf(grantee, 'received')).toEqual([])
    await transaction(app, 'system', (tx) => expireInvitations(app, tx))
    expect((await mails.next(owner.email)).text).toContain(`${grantee.email} didn’t answer`)
    expect(await asOwner(test, 'select state from account_grants where id = $1', [second.id])).toEqual([
      { state: 'expired' },
    ])
    expect((await invite(owner, grantee.email)).status).toBe(201)
  })
  it('are accepted by one of 8 requests at once; a second invitation for the same person is refused', async () => {
    const [owner, grantee] = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
    const { id } = bodyOf(await invite(owner, grantee.email), 201)
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(grantee, id)))
    expect(answers.map(({ status }): number => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ])
    const second = anyEmail()
    const again = bodyOf(await invite(owner, second), 201)
    await asOwner(test, `insert into email_addresses (user_id, email, verified_at) values ($1, $2, now())`, [
      grantee.user_id,
      second,
    ])
    expect((await accept(grantee, again.id)).body).toMatchObject(refusal(409, 'already_shared'))
  })
  it('are either accepted or withdrawn where both come at once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [owner, grantee] = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
      const { id } = bodyOf(await invite(owner, grantee.email), 201)
      await Promise.all([accept(grantee, id), remove(owner, id)])
      expect(await listOf(owner, 'given')).toEqual([])
      expect((await hostsFor(grantee, owner.user_id)).status).toBe(404)
    }
  })
})

describe('O-02 acting', () => {
  it('shows and changes the servers, without prices, and nothing that spends or deletes', async () => {
    const { owner, grantee } = await pair()
    const own = await paidHost(test, owner, 86_400_000)
    const account = { id: owner.user_id, name: owner.email, role: 'technical' }
    const listed = bodyOf(await hostsFor(grantee, owner.user_id), 200).items
    expect(listed).toMatchObject([{ id: own.id, account, licence: { status: 'active', price: null } }])
    const seen = bodyOf(await getHost(grantee.api, own.id), 200)
    expect(seen).toMatchObject({ account, licence: { price: null, plan: { slug: 'standard' } } })
    expect(bodyOf(await getHost(owner.api, own.id), 200)).toMatchObject({
      account: null,
      licence: { price: {} },
    })
    const changed = bodyOf(
      await patchHost(grantee.api, own.id, { name: 'renamed', version: seen.version }),
      200,
    )
    expect(changed).toMatchObject({ name: 'renamed', account, licence: { price: null } })
    const { status, body } = await patchHost(grantee.api, own.id, { name: 'late', version: seen.version })
    expect(status).toBe(409)
    expect(body).toMatchObject({ present: { licence: { price: null } } })
    expect((await patchHost(grantee.api, own.id, { auto_renew: true })).body).toMatchObject(
      refusal(403, 'not_allowed_for_role'),
    )
    expect(
      (await grantee.api.call(hosts.deleteHost, { params: { hostId: own.id }, query: { name: 'renamed' } }))
        .body,
    ).toMatchObject(refusal(403, 'not_allowed_for_role'))
    expect((await grantee.api.call(hosts.makeAgentToken, { params: { hostId: own.id } })).status).toBe(201)
    expect((await grantee.api.call(hosts.getMetrics, { params: { hostId: own.id }, query: {} })).status).toBe(
      200,
    )
    expect(
      await asOwner(test, `select act from audit where user_id = $1 and detail->>'by' = $2 order by id`, [
        owner.user_id,
        grantee.user_id,
      ]),
    ).toEqual([
      { act: 'grant.accepted' },
      { act: 'host.changed_by_helper' },
      { act: 'host.agent_token_made' },
    ])
  })
  it('is remembered when it has ended, until the owner renews the licence key or lets it stay', async () => {
    const { owner, grantee, id } = await pair()
    const [first, second] = [await addHost(owner.api, {}), await addHost(owner.api, {})]
    const former = async (hostId: string) =>
      bodyOf(await owner.api.call(contract.listFormerHelpers, { params: { hostId } }), 200).items
    expect(await former(first.id)).toEqual([])
    // Narrowed: the second server is out of sight, the first is not.
    const body = { all_hosts: false, host_ids: [first.id], version: 2 }
    bodyOf(await owner.api.call(contract.updateGrant, { params: { grantId: id }, body }), 200)
    expect([await former(first.id), (await former(second.id)).length]).toEqual([[], 1])
    bodyOf(await remove(owner, id), 204)
    expect(await former(first.id)).toMatchObject([{ account: { id: grantee.user_id } }])
    const params = { hostId: first.id }
    expect((await grantee.api.call(contract.listFormerHelpers, { params })).status).toBe(404)
    bodyOf(await owner.api.call(renewLicenceKey, { params, body: { at_once: true } }), 200)
    bodyOf(await owner.api.call(contract.keepLicenceKey, { params: { hostId: second.id } }), 204)
    expect([await former(first.id), await former(second.id)]).toEqual([[], []])
  })
  it('lets full helpers renew the licence key, which the owner is mailed, and technical ones not', async () => {
    const { owner, grantee, id } = await pair()
    const { id: hostId, licence_key } = await addHost(owner.api, {})
    const renew = () => grantee.api.call(renewLicenceKey, { params: { hostId }, body: { at_once: false } })
    expect((await renew()).body).toMatchObject(refusal(403, 'not_allowed_for_role'))
    const body = { role: 'full', all_hosts: true, version: 2 } as const
    bodyOf(await owner.api.call(contract.updateGrant, { params: { grantId: id }, body }), 200)
    expect((await mails.next(owner.email)).subject).toContain('now helps')
    expect(bodyOf(await renew(), 200).licence_key).not.toBe(licence_key)
    const mail = await mails.next(owner.email)
    expect(mail.subject).toContain('licence key of')
    expect(mail.text).toContain('still works for 24 hours')
    const acts = await asOwner(
      test,
      `select detail->>'by' as by from audit where user_id = $1 and act = 'host.key_renewed'`,
      [owner.user_id],
    )
    expect(acts).toEqual([{ by: grantee.user_id }])
    const own = { params: { hostId }, body: { at_once: true } }
    bodyOf(await owner.api.call(renewLicenceKey, own), 200)
    const mailed = await asOwner(
      test,
      `select count(*)::int as mails from mails where user_id = $1 and letter = 'licence_key_renewed'`,
      [owner.user_id],
    )
    expect(mailed).toEqual([{ mails: 1 }])
  })
  it('lets full helpers renew many keys at once, each as one alone, and a key that was renewed too often stays', async () => {
    const { owner, grantee, id } = await pair()
    const hosts = [await addHost(owner.api, {}), await addHost(owner.api, {}), await addHost(owner.api, {})]
    const ids = hosts.map((host) => host.id)
    const query = { for: owner.user_id }
    const renew = (host_ids: string[], at_once: boolean) =>
      grantee.api.call(renewLicenceKeys, { body: { host_ids, at_once } }, { query })
    const foreign = await addHost((await signedInCustomer(test)).api, {})
    const terms = { role: 'full', all_hosts: true, version: 2 } as const
    bodyOf(await owner.api.call(contract.updateGrant, { params: { grantId: id }, body: terms }), 200)
    const keys = async () =>
      Promise.all(ids.map(async (one) => bodyOf(await getHost(owner.api, one), 200).licence_key))
    const before = await keys()
    expect((await renew([...ids, foreign.id], true)).body).toMatchObject(refusal(404, 'not_found'))
    expect(await keys()).toEqual(before)
    const { servers } = bodyOf(await renew(ids.slice(0, 2).toReversed(), false), 200)
    expect(servers.map(({ host_id, licence_key }) => [host_id, licence_key])).toEqual(
      [1, 0].map((place) => [ids[place], expect.stringMatching(/./)]),
    )
    const after = await keys()
    expect(servers.map(({ licence_key }) => licence_key)).toEqual([after[1], after[0]])
    expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([
      false,
      false,
      true,
    ])
    const count = async (statement: string) => asOwner(test, statement, [owner.user_id])
    const former = 'select count(*)::int as n from former_keys where user_id = $1'
    const acts = `select detail->>'host_id' as host, detail->>'by' as by from audit where user_id = $1 and act = 'host.key_renewed'`
    const mailed = `select count(*)::int as n from mails where user_id = $1 and letter = 'licence_key_renewed'`
    expect(await count(former)).toEqual([{ n: 2 }])
    expect(await count(mailed)).toEqual([{ n: 2 }])
    expect(await count(acts)).toEqual(
      expect.arrayContaining(ids.slice(0, 2).map((host) => ({ host, by: grantee.user_id }))),
    )
    const often = { body: { host_ids: [must(ids[0])], at_once: true } }
    for (let time = 2; time <= 5; time++) bodyOf(await owner.api.call(renewLicenceKeys, often), 200)
    expect(await count(former), 'at once: no key of before answers').toEqual([{ n: 1 }])
    const all = { body: { host_ids: ids, at_once: true } }
    const last = bodyOf(await owner.api.call(renewLicenceKeys, all), 200).servers
    expect(last.map(({ licence_key }) => licence_key === null)).toEqual([true, false, false])
    expect(await count(mailed), 'the owner is not mailed of their own acts').toEqual([{ n: 2 }])
  })
  it('is for the servers of the grant alone, and follows its change at the next call', async () => {
    const owner = await signedInCustomer(test)
    const grantee = await signedInCustomer(test)
    const [given, kept] = [
      await addHost(owner.api, { name: 'given' }),
      await addHost(owner.api, { name: 'kept' }),
    ]
    const grant = bodyOf(await invite(owner, grantee.email, { all_hosts: false, host_ids: [given.id] }), 201)
    bodyOf(await accept(grantee, grant.id), 200)
    expect(bodyOf(await hostsFor(grantee, owner.user_id), 200).items.map(({ name }) => name)).toEqual([
      'given',
    ])
    expect((await getHost(grantee.api, kept.id)).status).toBe(404)
    expect((await patchHost(grantee.api, kept.id, { name: 'mine' })).status).toBe(404)
    const change = (version: number, host_ids: string[]) =>
      owner.api.call(contract.updateGrant, {
        params: { grantId: grant.id },
        body: { all_hosts: false, host_ids, version },
      })
    expect((await change(1, [kept.id])).body).toMatchObject({ present: { version: 2 } })
    expect(bodyOf(await change(2, [kept.id]), 200)).toMatchObject({ host_ids: [kept.id], version: 3 })
    expect((await getHost(grantee.api, given.id)).status).toBe(404)
    expect((await getHost(grantee.api, kept.id)).status).toBe(200)
    expect(
      (
        await grantee.api.call(contract.updateGrant, {
          params: { grantId: grant.id },
          body: { all_hosts: true, version: 3 },
        })
      ).status,
    ).toBe(404)
  })
  it('ends with the grant: revoked, left, or the account closed', async () => {
    for (const end of ['revoke', 'leave', 'owner closes', 'grantee closes'] as const) {
      const { owner, grantee, id } = await pair()
      const host = await addHost(owner.api, {})
      expect((await getHost(grantee.api, host.id)).status).toBe(200)
      if (end === 'revoke') expect((await remove(owner, id)).status).toBe(204)
      else if (end === 'leave') expect((await remove(grantee, id)).status).toBe(204)
      else await leave(end === 'owner closes' ? owner : grantee)
      if (end !== 'grantee closes') {
        expect((await hostsFor(grantee, owner.user_id)).body).toMatchObject(refusal(404, 'not_found'))
        expect((await getHost(grantee.api, host.id)).status).toBe(404)
        expect(await listOf(grantee, 'received')).toEqual([])
      }
      if (end !== 'owner closes') expect(await listOf(owner, 'given')).toEqual([])
    }
  })
  it('is the same 404 for strangers, for unknown accounts, and for what the grantee’s own helpers ask', async () => {
    const { owner, grantee } = await pair()
    const host = await addHost(owner.api, {})
    const third = await signedInCustomer(test)
    bodyOf(await accept(third, bodyOf(await invite(grantee, third.email), 201).id), 200)
    expect((await getHost(third.api, host.id)).status).toBe(404)
    const [foreign, unknown] = [
      await hostsFor(third, owner.user_id),
      await hostsFor(third, '00000000-0000-4000-8000-000000000000'),
    ]
    expect(foreign.body).toEqual(unknown.body)
    expect(foreign.status).toBe(404)
    expect((await owner.api.call(hosts.listHosts, { query: { for: grantee.user_id } })).status).toBe(404)
    expect(
      bodyOf(await owner.api.call(hosts.listHosts, { query: { for: owner.user_id } }), 200).items,
    ).toMatchObject([{ account: null }])
  })
  it('lists all servers with the account of each, and without those that ask for a second factor', async () => {
    const { owner, grantee } = await pair()
    const strict = await signedInCustomer(test)
    const asked = await invite(strict, grantee.email, { needs_second_factor: true })
    bodyOf(await accept(grantee, bodyOf(asked, 201).id), 200)
    await addHost(owner.api, { name: 'b-theirs' })
    await addHost(strict.api, { name: 'c-strict' })
    await addHost(grantee.api, { name: 'a-own' })
    const query = { for: 'all' as const, sort: 'name' as const }
    const listed = async (limit: string, cursor?: string) =>
      bodyOf(
        await grantee.api.call(hosts.listHosts, { query: { ...query, limit, ...(cursor && { cursor }) } }),
        200,
      )
    expect((await listed('10')).items.map(({ name, account }) => [name, account?.name])).toEqual([
      ['a-own', undefined],
      ['b-theirs', owner.email],
    ])
    const { next_cursor } = await listed('1')
    expect((await listed('1', must(next_cursor))).items).toMatchObject([
      { name: 'b-theirs', account: { id: owner.user_id, role: 'technical' }, licence: { price: null } },
    ])
    await transaction(app, 'system', (tx) => updateUser(tx, grantee.user_id, { factors: ['totp'] }))
    expect((await listed('10')).items).toHaveLength(3)
    expect(bodyOf(await owner.api.call(hosts.listHosts, { query }), 200).items).toMatchObject([
      { name: 'b-theirs', account: null },
    ])
  })
  it('may name the account of a server, too, and nobody else’s', async () => {
    const { owner, grantee } = await pair()
    const host = await addHost(owner.api, {})
    const other = await addHost(grantee.api, {})
    const get = async (hostId: string, account: string) =>
      (await grantee.api.get(`/api/hosts/${hostId}/?for=${account}`)).status
    expect(await get(host.id, owner.user_id)).toBe(200)
    expect(await get(other.id, owner.user_id)).toBe(404)
    expect(await get(host.id, grantee.user_id)).toBe(404)
    expect(await get(host.id, 'all')).toBe(400)
    expect(await get(host.id, '1')).toBe(400)
  })
  it('lists the accounts that one may act for by name, page by page, and finds them by address', async () => {
    const grantee = await signedInCustomer(test)
    const owners = await Promise.all(Array.from({ length: 4 }, () => signedInCustomer(test)))
    for (const owner of owners)
      bodyOf(await accept(grantee, bodyOf(await invite(owner, grantee.email), 201).id), 200)
    const ask = async (query: { q?: string; limit?: string; cursor?: string }) =>
      bodyOf(await grantee.api.call(contract.listAccounts, { query }), 200)
    const emails = owners.map(({ email }) => email).toSorted()
    const first = await ask({ limit: '3' })
    const rest = await ask({ limit: '3', cursor: must(first.next_cursor) })
    expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(emails)
    expect(rest.next_cursor).toBeNull()
    const [wanted] = owners
    expect((await ask({ q: must(wanted).email.slice(0, -4).toUpperCase() })).items).toEqual([
      {
        id: must(wanted).user_id,
        name: must(wanted).email,
        email: must(wanted).email,
        role: 'technical',
        through: null,
      },
    ])
  })
  it('asks for a second factor where the owner does', async () => {
    const { owner, grantee } = await pair({ needs_second_factor: true })
    const host = await addHost(owner.api, {})
    expect((await getHost(grantee.api, host.id)).body).toMatchObject(refusal(403, 'second_factor_required'))
    expect((await hostsFor(grantee, owner.user_id)).body).toMatchObject(
      refusal(403, 'second_factor_required'),
    )
    await transaction(app, 'system', (tx) => updateUser(tx, grantee.user_id, { factors: ['totp'] }))
    expect((await getHost(grantee.api, host.id)).status).toBe(200)
  })
  it('commits nothing after the end, of 64 changes that run', async () => {
    const { owner, grantee, id } = await pair()
    const host = await addHost(owner.api, {})
    const changes = Array.from({ length: 64 }, (_, place) =>
      patchHost(grantee.api, host.id, { name: `name-${place}` }),
    )
    // A busy machine answers some calls with 503, so the revocation is repeated until it gets another answer.
    const revoked = await untilAnswered(() => remove(owner, id))
    expect(revoked.status).toBe(204)
    const { name } = bodyOf(await getHost(owner.api, host.id), 200)
    const statuses = new Set((await Promise.all(changes)).map(({ status }): number => status))
    expect([...statuses].every((status) => [200, 404, 503].includes(status))).toBe(true)
    expect(bodyOf(await getHost(owner.api, host.id), 200).name).toBe(name)
    expect((await patchHost(grantee.api, host.id, { name: 'late' })).status).toBe(404)
  })
})
