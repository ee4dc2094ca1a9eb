import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import { getFinances } from '#features/finance/contract.ts'
import { updateAlertSettings } from '#features/hosts/alert-contract.ts'
import * as hosts from '#features/hosts/contract.ts'
import { orderHost, orderLicence, previewUpgrade, upgradeLicence } from '#features/sales/contract.ts'
import { releaseMachine } from '#features/licences/machines.ts'
import * as contract from '#features/sharing/contract.ts'
import { listTokens } from '#features/sharing/token-contract.ts'
import { uploadAttachment } from '#features/support/files/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { issueStatements } from '#features/statements/server/issue.ts'
import { helperRoles, mayActAs, type HelperRole } from '#foundation/capability.ts'
import type { Route } from '#foundation/contract.ts'
import { dayIn } from '#features/invoices/rules.ts'
import { must } from '#foundation/must.ts'
import { bulk, newServers } from '#tests/harness/bulk.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, getHost, patchHost, refusal } from '#tests/harness/hosts.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import {
  endGrant,
  endProgram,
  helperOf as makeHelper,
  programOf,
  type Helper,
  type Terms,
} from '#tests/harness/grants.ts'
import { addMoney } from '#tests/harness/money.ts'
import { anyAddress, goods, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { Client } from '#tests/harness/client.ts'
import { sameInstallation, startTestApp } from '#tests/harness/test-app.ts'
import { upload } from '#tests/harness/upload.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const PRICE = goods['standard-month'].total
const expected_total = { amount: String(PRICE), currency: 'EUR' }

const helperOf = (owner: Customer, terms?: Terms, grantee?: Customer) =>
  makeHelper(test, owner, terms, grantee)

const refused = { status: 402, body: refusal(402, 'helper_limit_reached') }

const spentOf = async ({ api }: Customer) =>
  [
    ...bodyOf(await api.call(contract.listGrants, { query: { side: 'given' } }), 200).items,
    ...bodyOf(await api.call(listTokens, {}), 200).items,
  ].map(({ spent_this_month }) => spent_this_month.amount)

const renew = ({ api }: Customer, hostId: string) =>
  api.post(
    `/api/hosts/${hostId}/licence/`,
    { plan: 'standard-month', expected_total },
    { headers: { 'idempotency-key': randomUUID() } },
  )

describe('O-03 helpers who pay', () => {
  it('see prices, order and renew from the balance of the owner, who reads who it was', async () => {
    const owner = await signedInCustomer(test)
    await addMoney(test.app, owner.user_id, 3n * PRICE)
    const helping = await helperOf(owner, { role: 'billing' })
    const ordered = await helping.api.post<{ host: hosts.Host }>(
      `/api/hosts/order/?for=${owner.user_id}`,
      { name: 'paid', ipv4: anyAddress(), plan: 'standard-month', expected_total },
      { headers: { 'idempotency-key': randomUUID() } },
    )
    expect(ordered).toMatchObject({
      status: 201,
      body: { host: { account: { id: owner.user_id, role: 'billing' }, licence: { price: expected_total } } },
    })
    const { id } = ordered.body.host
    expect((await renew(helping, id)).status).toBe(201)
    expect(bodyOf(await owner.api.call(getFinances, {}), 200).balance.amount).toBe(String(PRICE))
    const theirs = await helping.api.get(`/api/finances/?for=${owner.user_id}`)
    expect(theirs).toMatchObject({ status: 200, body: { balance: { amount: String(PRICE) } } })
    expect(bodyOf(await helping.api.call(getFinances, {}), 200).balance.amount).toBe('0')
    expect(
      await asOwner(
        test,
        `select detail->>'amount' as amount, detail->>'by' as by from audit where act = 'grant.spent' and user_id = $1`,
        [owner.user_id],
      ),
    ).toEqual([PRICE, PRICE].map((amount) => ({ amount: String(amount), by: helping.user_id })))
    expect((await patchHost(helping.api, id, { name: 'mine' })).body).toMatchObject(
      refusal(403, 'not_allowed_for_role'),
    )
    expect((await patchHost(helping.api, id, { auto_renew: true })).status).toBe(200)
  })
  it.each([
    ['12 by people', helperOf, 12],
    ['64 by tokens', (owner: Customer, terms: Terms) => programOf(test, owner, terms), 64],
  ])(
    'spend no more than the limit of the month, of many at once exactly so much: %s',
    async (_name, made, atOnce) => {
      const owner = await signedInCustomer(test)
      await addMoney(test.app, owner.user_id, 20n * PRICE)
      const helping = await made(owner, { role: 'full', month_limit: String(3n * PRICE + 5n) })
      const order = (place: number) =>
        helping.api.post<{ host: hosts.Host }>(
          `/api/hosts/order/?for=${owner.user_id}`,
          { name: `server-${place}`, ipv4: anyAddress(), plan: 'standard-month', expected_total },
          { headers: { 'idempotency-key': randomUUID() } },
        )
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, place) => untilAnswered(() => order(place))),
      )
      const servers = answers.filter(({ status }) => status === 201).map(({ body }) => body.host)
      expect(servers).toHaveLength(3)
      for (const { status, body } of answers)
        if (status !== 201) expect(body).toMatchObject(refusal(402, 'helper_limit_reached'))
      expect(await spentOf(owner)).toContain(String(3n * PRICE))
      expect(bodyOf(await owner.api.call(getFinances, {}), 200).balance.amount).toBe(String(17n * PRICE))
      // The limit is the helper's, not the owner's.
      expect((await renew(owner, must(servers[2]).id)).status).toBe(201)
      const [first] = servers
      expect((await patchHost(helping.api, must(first).id, { auto_renew: true })).body).toMatchObject(
        refusal(403, 'not_allowed_for_role'),
      )
      await asOwner(
        test,
        `update grant_spending set month = month - interval '1 month' where owner_id = $1`,
        [owner.user_id],
      )
      expect((await renew(helping, must(first).id)).status).toBe(201)
    },
  )
  it('spend no more than the limit by one act for many servers, and by an upgrade', async () => {
    const owner = await signedInCustomer(test)
    await addMoney(test.app, owner.user_id, 20n * PRICE)
    const { id: hostId } = await addHost(owner.api, { name: 'small', ipv4: anyAddress() })
    expect((await renew(owner, hostId)).status).toBe(201)
    const helping = await helperOf(owner, { role: 'full', month_limit: '1' })
    const many = { act: 'order', hosts: newServers(2), plan: 'standard-month' } as const
    expect(await bulk(helping, many, { for: owner.user_id })).toMatchObject(refused)
    await sellLarge(test)
    const wish = { plan: 'large-month', scope: 'all' } as const
    const preview = bodyOf(
      await helping.api.call(previewUpgrade, { params: { hostId }, body: { ...wish, when: 'now' } }),
      200,
    )
    const upgraded = await helping.api.call(upgradeLicence, {
      params: { hostId },
      headers: { 'idempotency-key': randomUUID() },
      body: { ...wish, expected_total: preview.pay_now, as_of: preview.as_of },
    })
    expect(upgraded).toMatchObject(refused)
    expect(bodyOf(await owner.api.call(getFinances, {}), 200).balance.amount).toBe(String(19n * PRICE))
  })
  it('are let in with a recent proof, and for all servers', async () => {
    const owner = await signedInCustomer(test, { proven_s_ago: 4000 })
    const host = await addHost(owner.api, {})
    const invite = (role: HelperRole, host_ids?: string[]) =>
      owner.api.call(contract.createGrant, {
        body: {
          email: `${role}@example.org`,
          role,
          all_hosts: !host_ids,
          ...(host_ids && { host_ids }),
        },
      })
    const technical = bodyOf(await invite('technical', [host.id]), 201)
    for (const role of ['billing', 'full'] as const)
      expect((await invite(role)).body).toMatchObject(refusal(403, 'reauthentication_required'))
    const params = { grantId: technical.id }
    const raised = { role: 'full' as const, all_hosts: true, version: technical.version }
    expect((await owner.api.call(contract.updateGrant, { params, body: raised })).body).toMatchObject(
      refusal(403, 'reauthentication_required'),
    )
    // Only the named fields change.
    const named = { needs_second_factor: true, version: technical.version }
    expect(bodyOf(await owner.api.call(contract.updateGrant, { params, body: named }), 200)).toMatchObject({
      role: 'technical',
      all_hosts: false,
      host_ids: [host.id],
      needs_second_factor: true,
    })
    const fresh = await signedInCustomer(test)
    const theirs = await addHost(fresh.api, {})
    const body = { email: 'some@example.org', role: 'full' as const, all_hosts: false, host_ids: [theirs.id] }
    expect((await fresh.api.call(contract.createGrant, { body })).body).toMatchObject(
      refusal(400, 'all_hosts_required', 'all_hosts'),
    )
  })
})

/** A caller; without a role, one for whom nothing of the account exists, or (`isNobody`) one whom nobody knows. */
type Kind = { person: Customer; role?: HelperRole | 'owner'; isSome?: true; isNobody?: true }

/** Helpers of helpers may do what both roles allow. A chain of three grants, or with a grant that has ended, allows nothing. */
async function passedOn(owner: Customer): Promise<Record<string, Kind>> {
  const kinds: Record<string, Kind> = {}
  const passing = { may_pass_on: true } as const
  const agency = await helperOf(owner, { role: 'full', ...passing })
  for (const role of helperRoles)
    kinds[`full, passed on to ${role}`] = { person: await helperOf(agency, { role }), role }
  const technical = await helperOf(owner, passing)
  const theirs = await helperOf(technical, { role: 'full', ...passing })
  kinds['technical, passed on to full'] = { person: theirs, role: 'technical' }
  kinds['technical, passed on to billing'] = { person: await helperOf(technical, { role: 'billing' }) }
  kinds['passed on twice'] = { person: await helperOf(theirs, { role: 'full' }) }
  const host = await addHost(agency.api, {})
  kinds['passed on for some servers of the helper'] = {
    person: await helperOf(agency, { host_ids: [host.id] }),
  }
  const silent = await helperOf(owner, { role: 'full' })
  kinds['not to be passed on'] = { person: await helperOf(silent, { role: 'full' }) }
  const ended = await helperOf(owner, { role: 'full', ...passing })
  kinds['passed on, and the first revoked'] = { person: await helperOf(ended, { role: 'full' }) }
  await endGrant(owner, ended.grantId)
  const left = await helperOf(agency, { role: 'full' })
  kinds['passed on, and left'] = { person: left }
  await endGrant(left, left.grantId)
  return kinds
}

/** Programs with tokens: helpers with the same roles, until the token ends. */
async function programs(owner: Customer, host_id: string): Promise<Record<string, Kind>> {
  const kinds: Record<string, Kind> = {}
  for (const role of helperRoles)
    kinds[`a token, ${role}`] = { person: await programOf(test, owner, { role }), role }
  const some = await programOf(test, owner, { host_ids: [host_id] })
  kinds['a token, technical for some'] = { person: some, role: 'technical', isSome: true }
  kinds['a token of another account'] = {
    person: await programOf(test, await signedInCustomer(test), { role: 'full' }),
  }
  const [ended, expired, mistyped] = [
    await programOf(test, owner, { role: 'full' }),
    await programOf(test, owner, { role: 'full' }),
    await programOf(test, owner, { role: 'full' }),
  ]
  await endProgram(owner, ended.grantId)
  await asOwner(test, 'update account_tokens set expires_at = now() where id = $1', [expired.grantId])
  mistyped.api.access_token = mistyped.api.access_token?.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  kinds['an ended token'] = { person: ended, isNobody: true }
  kinds['a token past its end'] = { person: expired, isNobody: true }
  kinds['a mistyped token'] = { person: mistyped, isNobody: true }
  return kinds
}

// The calls are read from the contracts: a new call for helpers is tested from its first day.
describe('O-04 access of helpers to each call in the account of an owner', async () => {
  const owner = await signedInCustomer(test)
  await addMoney(test.app, owner.user_id, 30n * PRICE)
  const [given, kept] = [
    await addHost(owner.api, { name: 'given', ipv4: anyAddress() }),
    await addHost(owner.api, { name: 'kept', ipv4: anyAddress() }),
  ]
  const invoice = await issuedInvoice(test.app, owner.user_id)
  // The statement of this month, as the company's calendar has it, is issued in the next.
  const month = dayIn(new Date(), test.app.config.timeZone).slice(0, 7)
  await issueStatements(test.app, new Date(Date.parse(`${month}-28T12:00:00Z`) + 6 * 86_400_000))
  // A checkout and its payment have the same id.
  const topUp = await owner.api.post<{ id: string }>(
    '/api/finances/checkouts/',
    { for: 'top_up', amount: '2500', provider: 'bank' },
    { headers: { 'idempotency-key': randomUUID() } },
  )
  const [revoked, left] = [await helperOf(owner, { role: 'full' }), await helperOf(owner, { role: 'full' })]
  await endGrant(owner, revoked.grantId)
  await endGrant(left, left.grantId)
  const chains = await passedOn(owner)
  const kinds: Record<string, Kind> = {
    owner: { person: owner, role: 'owner' },
    'technical for all': { person: await helperOf(owner), role: 'technical' },
    'technical for some': {
      person: await helperOf(owner, { host_ids: [given.id] }),
      role: 'technical',
      isSome: true,
    },
    billing: { person: await helperOf(owner, { role: 'billing' }), role: 'billing' },
    full: { person: await helperOf(owner, { role: 'full' }), role: 'full' },
    read: { person: await helperOf(owner, { role: 'read' }), role: 'read' },
    ...chains,
    ...(await programs(owner, given.id)),
    revoked: { person: revoked },
    left: { person: left },
    stranger: { person: await signedInCustomer(test) },
    staff: { person: await signedInStaff(test) },
  }
  const bodies: Record<string, () => object> = {
    createHost: () => ({ name: 'made', ipv4: anyAddress() }),
    updateHost: () => ({ version: 1 }),
    updateAlertSettings: () => ({}),
    updateHostAlerts: () => ({}),
    deleteHost: () => ({}),
    makeAgentToken: () => ({}),
    makeDocument: () => ({ fingerprint: 'a'.repeat(64) }),
    renewLicenceKey: () => ({ at_once: true }),
    renewLicenceKeys: () => ({ host_ids: [given.id], at_once: true }),
    redeemVoucher: () => ({ code: 'NO-SUCH-CODE' }),
    startTopUp: () => ({ amount: '2500', provider: 'bank' }),
    cancelTransfer: () => ({}),
    createCheckout: () => ({ for: 'top_up', amount: '2500', provider: 'test' }),
    cancelCheckout: () => ({}),
    continueCheckout: () => ({}),
    previewBulk: () => ({ act: 'renew', host_ids: [given.id] }),
    orderBulk: () => ({ act: 'auto_renew', host_ids: [given.id], auto_renew: false }),
    orderHost: () => ({ name: 'made', ipv4: anyAddress(), plan: 'standard-month', expected_total }),
    orderLicence: () => ({ plan: 'standard-month', expected_total }),
    previewPromo: () => ({ code: 'NO-SUCH-CODE' }),
    previewUpgrade: () => ({ plan: 'standard-month' }),
    upgradeLicence: () => ({ plan: 'standard-month', expected_total }),
    chooseRenewalPlan: () => ({ plan: 'standard-month', from: 'standard-month', expected_total }),
    chooseRenewalExtras: () => ({ extras: [], expected_total }),
  }
  const queries: Record<string, string> = {
    downloadStatement: '&format=csv',
    // The name is not that of the server, so the server is not deleted.
    deleteHost: '&name=nobody',
  }
  const send = ({ api }: Customer, { method, path, id }: Route, hostId: string) => {
    const filled = path
      .replace('{hostId}', hostId)
      .replace('{publicId}', invoice.public_id)
      .replace('{id}', topUp.body.id)
      .replace('{month}', month)
    const options = { headers: { 'idempotency-key': randomUUID() } }
    const address = `${filled}?for=${owner.user_id}${queries[id] ?? ''}`
    if (method === 'GET') return api.get(address)
    if (id === uploadAttachment.id) return upload(api, 'theirs', 'file.bin', `?for=${owner.user_id}`)
    return api.send(method, address, must(bodies[id], `a body for ${id}`)(), options)
  }
  const calls = routes
    .map(({ contract: one }): Route => one)
    .filter(({ access }) => access.who === 'customer' && typeof access.acts === 'object')
    // This call releases the machine in its path: a test of its own covers it below.
    .filter(({ id }) => id !== releaseMachine.id)
    // The topic of a ticket decides which helpers may use it: features/support/server/helpers.test.ts.
    .filter(({ id, path }) => id !== createTicket.id && !/\{(?:chatId|attachmentId)\}/.test(path))
  const verdictOf = ({ status, body }: { status: number; body?: unknown }) => {
    const code = (body as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code
    if (status === 404) return 'hidden'
    if (status === 401) return 'unknown'
    if (status >= 500) return String(status)
    return code === 'not_allowed_for_role' ? 'refused' : 'in'
  }
  // These calls are for all servers, so that a helper for some of them may not make them.
  const forAllServers = new Set<string>([hosts.createHost.id, orderHost.id, updateAlertSettings.id])

  it.each(Object.entries(kinds))('answers %s as it should at each call', async (_name, kind) => {
    const { person, role, isSome, isNobody } = kind
    const owed = ({ access, id }: Route, isKept: boolean) => {
      if (role === 'owner') return 'in'
      if (isNobody) return 'unknown'
      if (!role || (isSome && isKept)) return 'hidden'
      const acts = access.who === 'staff' || typeof access.acts !== 'object' ? undefined : access.acts
      if (!mayActAs(role, must(acts)) || (isSome && forAllServers.has(id))) return 'refused'
      return 'in'
    }
    const wrong: string[] = []
    const ask = async (call: Route, hostId: string) => {
      const [is, shall] = [verdictOf(await send(person, call, hostId)), owed(call, hostId === kept.id)]
      if (is !== shall) wrong.push(`${call.method} ${call.path}: ${is} instead of ${shall}`)
    }
    for (const call of calls) {
      await ask(call, given.id)
      if (call.path.includes('{hostId}')) await ask(call, kept.id)
    }
    expect(wrong).toEqual([])
  })
  it('lets those release a machine who may change servers', async () => {
    const verdicts: Record<string, string> = {}
    for (const [name, { person }] of Object.entries(kinds)) {
      const [machine] = await asOwner(
        test,
        `insert into activations (host_id, user_id, address)
         select id, user_id, '10.0.0.1' from hosts where public_id = $1
         on conflict (host_id, fingerprint) where released_at is null do update set last_seen = now() returning id`,
        [given.id],
      )
      const { id: machineId } = must(machine) as { id: string }
      const params = { hostId: given.id, machineId }
      verdicts[name] = verdictOf(await person.api.call(releaseMachine, { params }))
      await asOwner(test, 'delete from activations where released_at is not null', [])
    }
    const wanted = Object.entries(kinds).map(([name, { role, isNobody }]) => {
      if (isNobody) return [name, 'unknown']
      if (!role) return [name, 'hidden']
      return [name, role === 'owner' || mayActAs(role, releaseMachine.access.acts) ? 'in' : 'refused']
    })
    expect(verdicts).toEqual(Object.fromEntries(wanted))
  })
  it('lets no transaction of a helper who reads write, whatever a handler forgets', async () => {
    const { user_id, grantId } = must(kinds['read']).person as Helper
    const held = (roles: string) =>
      asOwner(
        test,
        `do $$ begin perform set_config('app.actor', 'system', true);
           if act_for('${owner.user_id}', '${user_id}', '${grantId}', null, '${roles}', null, false) then
             update hosts set name = 'theirs' where public_id = '${given.id}';
           end if; end $$`,
        [],
      )
    await expect(held('{full,read}')).rejects.toThrow('read-only transaction')
    await held('{full}')
    expect(bodyOf(await getHost(owner.api, given.id), 200).name).toBe('given')
  })
  it('O-11: lets a token that has ended start nothing more in any of three processes, of 200 calls in flight', async () => {
    const helping = await programOf(test, owner)
    const others = await Promise.all([sameInstallation(test), sameInstallation(test)])
    const apis = [test.url, ...others.map(({ url }) => url)].map((url) =>
      Object.assign(new Client(url), { access_token: helping.api.access_token }),
    )
    for (const api of apis) expect((await getHost(api, kept.id)).status).toBe(200)
    const calls = Array.from({ length: 200 }, (_, place) =>
      patchHost(must(apis[place % apis.length]), kept.id, { name: `name-${place}` }),
    )
    expect((await untilAnswered(() => endProgram(owner, helping.grantId))).status).toBe(204)
    const late = await Promise.all(apis.map((api) => getHost(api, kept.id)))
    expect(late.map(({ status }): number => status)).toEqual([401, 401, 401])
    const { name } = bodyOf(await getHost(owner.api, kept.id), 200)
    const statuses = (await Promise.all(calls)).map(({ status }): number => status)
    expect(statuses.filter((status) => ![200, 401, 404, 503].includes(status))).toEqual([])
    expect(bodyOf(await getHost(owner.api, kept.id), 200).name).toBe(name)
    await Promise.all(others.map(({ close }) => close()))
  })
  it('knows every role, and no price is in what technical helpers read', async () => {
    expect(helperRoles).toEqual(['technical', 'billing', 'full', 'read'])
    expect((await renew(owner, given.id)).status).toBe(201)
    for (const name of ['technical for all', 'technical for some', 'a token, technical']) {
      const { person } = must(kinds[name])
      for (const call of calls.filter(({ method }) => method === 'GET')) {
        const { status, body } = await send(person, call, given.id)
        if (status === 200) expect(JSON.stringify(body), call.id).not.toContain('currency')
      }
    }
    expect(orderLicence.access.acts.roles).not.toContain('technical')
    expect(bodyOf(await getHost(owner.api, given.id), 200).licence.price).not.toBeNull()
  })
})

it('O-02: calls for oneself name no other account', async () => {
  const [owner, helping] = [await signedInCustomer(test), await signedInCustomer(test)]
  const own = routes
    .map(({ contract: one }): Route => one)
    .filter(({ access, style }) => access.who === 'customer' && access.acts === 'own' && style !== 'auth')
  expect(own.length).toBeGreaterThan(20)
  for (const { id, method, path } of own) {
    const address = `${path.replaceAll(/\{\w+\}/g, () => randomUUID())}?for=${owner.user_id}`
    const { status, body } =
      method === 'GET' ? await helping.api.get(address) : await helping.api.send(method, address, {}, {})
    expect({ id, status, body }).toMatchObject({ id, ...refusalAnswer })
  }
})

const refusalAnswer = { status: 403, body: refusal(403, 'not_allowed_for_role') }
