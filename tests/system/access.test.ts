import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { afterAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { routes as handlers } from '#app/server/features.ts'
import { buildServer } from '#app/server/server.ts'
import { route } from '#foundation/contract.ts'
import type { Access, Route } from '#foundation/contract.ts'
import { permission, staff } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import { refusalOf, type Known } from '#foundation/server/http/access.ts'
import { capability, type HelperRole } from '#foundation/capability.ts'
import { actsOnAccount } from '#foundation/server/http/other-account.ts'
import { assertPolicies } from '#foundation/server/http/policies.ts'
import { parseBodies } from '#foundation/server/http/bodies.ts'
import { handler, type Handler } from '#foundation/server/http/handler.ts'
import { mount } from '#foundation/server/http/serve.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { walksOf } from './walked-calls.ts'
import { agentToken, isVerdict, knockersOf, somebodysAgent, type Verdict } from './knockers.ts'
import {
  bearer,
  halfSignedIn,
  session,
  setActive,
  setStaff,
  signedIn,
  signOut,
  startViewOf,
  type Person,
} from './people.ts'
import { bodies, bookedLine, closingLast, ticketWithAll } from './staff-things.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { createHost } from '#features/hosts/server/hosts.ts'

// The tests are generated from the contracts, so a new route is tested without a change here. Both the answer of the server and the
// verdict of the policy alone are compared with the verdict that each caller must get.
const test = await startTestApp({
  settings: { RATE_LIMIT_SCALE: '1000000', TRUSTED_PROXIES: '1', STAFF_NETWORKS: '127.0.0.0/8' },
})
const { app, url, logged } = test

// There is one route of each kind, so that every policy is tested in both styles even if no feature has such a route yet. For staff,
// there is one for each set of roles that may hold a permission, with and without a recent proof.
const holders = [[], ['support'], ['billing'], ['admin'], ['support', 'billing', 'admin']] as const
const ofStaff: [string, Access][] = holders.flatMap((held) =>
  [undefined, 'recent' as const].map((proof): [string, Access] => {
    const name = `${held.join('-') || 'owner'}${proof ? '-recent' : ''}`
    const needed = permission(`fixture.${name}`, held, {
      ...(proof && { proof }),
      ...(held.length === 0 && { ownerOnly: true }),
    })
    return [`staff-${name}`, staff(needed, 'none')]
  }),
)
const ofCustomer = { who: 'customer', acts: 'own', whileBlocked: 'allowed' } as const
const accesses: [string, Access][] = [
  ...(['anyone', 'pending', 'member', 'agent', 'program'] as const).map((who): [string, Access] => [
    who,
    { who },
  ]),
  ['customer', ofCustomer],
  ['buying', { who: 'customer', acts: 'own', whileBlocked: 'refused' }],
  ['helpers', { who: 'customer', acts: capability('fixture', ['full']), whileBlocked: 'allowed' }],
  ['recent', { who: 'customer', acts: 'own', proof: 'recent', whileBlocked: 'allowed' }],
  ['or-staff', { ...ofCustomer, orStaff: permission('fixture.or-staff', ['admin']) }],
  ['or-member', { ...ofCustomer, orMember: true }],
  ...ofStaff,
]
/** Returns the styles of the routes with this access: account calls (`auth`) have no answers for staff or blocked customers. */
function stylesOf(access: Access): ['/api/fixture' | '/api/allauth/app/v1/fixture', 'product' | 'auth'][] {
  const product: ['/api/fixture', 'product'] = ['/api/fixture', 'product']
  const isProduct = access.who === 'staff' || access.who === 'member' || access.whileBlocked === 'refused'
  return isProduct ? [product] : [product, ['/api/allauth/app/v1/fixture', 'auth']]
}
const fixtures = accesses.flatMap(([name, access]) =>
  stylesOf(access).map(([base, style]) =>
    handler(
      route({
        id: 'fixture',
        tag: 'Servers',
        method: 'POST',
        path: `${base}/${name}/`,
        access,
        style,
        summary: 'x',
        replies: { 200: z.strictObject({ as_staff: z.boolean() }) },
      }),
      async (call) => {
        const actor = call.actor as { is_staff: boolean } | undefined
        return { status: 200, body: { as_staff: actor?.is_staff ?? false } }
      },
    ),
  ),
)
const findAgent = async (_app: App, token: string) => (token === agentToken ? somebodysAgent : undefined)
const fixtureUrl = await served(app)
// The same installation, where staff must have a second factor.
const strict = { ...app, config: { ...app.config, staff: { ...app.config.staff, needsTwoFactor: true } } }
const strictly = { product: await listening(await buildServer(strict)), fixtures: await served(strict) }

async function served(over: App, which: readonly Handler[] = fixtures): Promise<string> {
  const server = fastify() as unknown as FastifyInstance
  parseBodies(server)
  mount(server, { ...over, findAgent }, which)
  return listening(server)
}

async function listening(server: FastifyInstance): Promise<string> {
  await server.listen({ port: 0, host: '127.0.0.1' })
  afterAll(() => server.close())
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

type Walked = { contract: Route; of: 'product' | 'fixtures' }

const walked: Walked[] = [
  ...handlers.map(({ contract }) => ({ contract, of: 'product' as const })),
  ...fixtures.map(({ contract }) => ({ contract, of: 'fixtures' as const })),
]

const everything = { gone: false, is_recent: true, asks_factor: false, in_staff_network: true }

const knockers = knockersOf(app)
const walkOf = walksOf(knockers, walked)

describe.each(Object.entries(knockers))('rule 1, G-04: %s', (_name, knocker) => {
  const { headers, known, owed } = knocker
  const bases = knocker.strictly ? strictly : { product: url, fixtures: fixtureUrl }
  // The agent of the fixtures does not exist in the product.
  const seenBy = (of: Walked['of']) => (of === 'product' ? { ...known, agent: undefined } : known)
  const judged = ({ contract, of }: Walked) => refusalOf(contract, { ...everything, ...seenBy(of) }) ?? 'in'
  let shared: Promise<Record<string, string>> | undefined

  it('is admitted or refused by the policy as expected at every call', () => {
    const wrong = walked.filter((one) => judged(one) !== owed(one.contract))
    expect(wrong.map(({ contract: { method, path } }) => `${method} ${path}`)).toEqual([])
  })

  it('gets that verdict of the server at every call', async () => {
    const wrong: string[] = []
    for (const one of walkOf(knocker)) wrong.push(...(await faultsAt(one)))
    expect(wrong).toEqual([])
    // Hundreds of calls one after the other, on a machine that may be busy.
  }, 300_000)

  /** Makes one call; returns a line for each thing that is wrong with the answer. */
  async function faultsAt({ contract, of }: Walked): Promise<string[]> {
    const path = contract.path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')
    const sent = await (shared ??= headers())
    const response = await fetch(bases[of] + path, {
      method: contract.method,
      headers: {
        ...sent,
        ...(contract.method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(contract.method === 'GET' ? {} : { body: '{}' }),
    })
    // The same person makes the calls until one may have changed their account; a read or a refused call changes nothing.
    const mayChange = contract.method !== 'GET' && owed(contract) === 'in'
    if (mayChange && (contract.style === 'auth' || response.ok)) shared = undefined
    // A stream that was let in never ends by itself; files are no JSON.
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const body = isJson ? parsed(await response.text()) : undefined
    if (!isJson) await response.body?.cancel()
    const verdict = verdictOf(contract, response.status, body, known)
    const isFault = response.status >= 500
    if (!isFault && verdict === owed(contract)) return []
    const why = isFault ? logged.findLast((line) => line['level'] === 'error') : body
    return [
      `${contract.method} ${contract.path} (${of}): ${verdict} instead of ${owed(contract)}, ${response.status} ${JSON.stringify(why)}`,
    ]
  }
})

type Body =
  | {
      meta?: { is_authenticated?: boolean }
      data?: { flows?: { id: string }[] }
      errors?: { code: string; param?: string }[]
    }
  | undefined

function parsed(text: string): Body {
  return text === '' ? undefined : (JSON.parse(text) as Body)
}

/** Returns the verdict of an answer on the caller's rights; `in` if the answer (400, 404, 409 …) comes from the handler. */
function verdictOf(contract: Route, status: number, body: Body, known: Partial<Known> = {}): Verdict {
  const { access, style, replies } = contract
  const { who } = access
  const [error] = body?.errors ?? []
  // Account calls name no code at this status.
  if (known.view && status === 403 && (style === 'auth' || error?.code.includes('view')))
    return (error?.code as Verdict) ?? (contract.viewable ? 'view_ended' : 'read_only_view')
  if (status === 403 && error?.code === 'session_required') return error.code
  // A customer's call that staff may make too comes from the handler as well if it answers 403, which names what staff lack, not 404.
  if (status === 403 && error && (known.robot || !(who === 'customer' && access.orStaff))) {
    const { code, param } = error
    if (isVerdict(code)) return code
    if (code === 'reauthentication_required') return param === 'code' ? 'code_required' : code
  }
  if (style !== 'auth') return status === 401 ? 'not_authenticated' : 'in'
  if (status === 410) return 'gone'
  // 401 can also be an ordinary answer of an account call: signed out, a step is pending, or a new proof is needed. It is a refusal
  // if the policy demands more than the caller has.
  if (status !== 401) return 'in'
  if (who === 'anyone') return 401 in replies ? 'in' : 'not_authenticated'
  if (who !== 'customer' || !body?.meta?.is_authenticated) return 'not_authenticated'
  const asked = body.data?.flows?.filter(({ id }) => id.endsWith('reauthenticate')) ?? []
  if (!access.proof || asked.length === 0) return 'in'
  return asked.some(({ id }) => id === 'reauthenticate') ? 'reauthentication_required' : 'code_required'
}

it('rule 59: staff without a second factor or outside the staff network get that error, not 404, for a ticket, whether or not it exists', async () => {
  const ask = async (base: string, headers: Record<string, string>, path: string) => {
    const response = await fetch(base + path, { headers })
    const { errors } = (await response.json()) as { errors?: { code: string }[] }
    return errors?.[0]?.code ?? response.status
  }
  const nowhere = `/api/tickets/${'a'.repeat(22)}/`
  const member = bearer(await signedIn(app, { is_staff: true }))
  expect(await ask(url, member, nowhere)).toBe('not_found')
  expect(await ask(strictly.product, member, nowhere)).toBe('two_factor_required')
  expect(await ask(url, { ...member, 'x-forwarded-for': '203.0.113.9' }, nowhere)).toBe('network_not_allowed')
  expect(await ask(strictly.product, bearer(await signedIn(app)), nowhere)).toBe('not_found')
  const made = await fetch(`${url}/api/tickets/`, {
    method: 'POST',
    headers: { ...bearer(await signedIn(app)), 'content-type': 'application/json' },
    body: JSON.stringify({ subject: 'Slow', message: 'It is slow.', topic: 'technical' }),
  })
  const { id } = (await made.json()) as { id: string }
  const there = `/api/tickets/${id}/`
  expect(await ask(url, member, there)).toBe(200)
  expect(await ask(strictly.product, member, there)).toBe('two_factor_required')
  expect(await ask(url, { ...member, 'x-forwarded-for': '203.0.113.9' }, there)).toBe('network_not_allowed')
  expect(await ask(strictly.product, member, '/api/tickets/')).toBe(200)
  expect(await ask(strictly.product, member, '/api/staff/me/')).toBe(200)
})

it('rule 59: a member acts as staff only at a call whose contract lets them in as staff, and by a permission that they hold', async () => {
  const asStaff = async (base: string, person: Person, from = '127.0.0.1') => {
    const headers = { ...bearer(person), 'x-forwarded-for': from }
    const ask = async (kind: string) => {
      const reply = await fetch(`${base}/api/fixture/${kind}/`, { method: 'POST', headers })
      return ((await reply.json()) as { as_staff?: boolean }).as_staff
    }
    return [await ask('customer'), await ask('or-staff'), await ask('or-member')]
  }
  const [admin, billing, customer] = [
    await signedIn(app, { roles: ['admin'] }),
    await signedIn(app, { roles: ['billing'] }),
    await signedIn(app),
  ]
  expect(await asStaff(fixtureUrl, admin)).toEqual([false, true, true])
  expect(await asStaff(fixtureUrl, billing), 'the permission is not theirs').toEqual([false, false, true])
  expect(await asStaff(fixtureUrl, customer)).toEqual([false, false, false])
  expect(await asStaff(fixtureUrl, admin, '203.0.113.9'), 'from elsewhere').toEqual([false, false, false])
  expect(await asStaff(strictly.fixtures, admin), 'without the factor').toEqual([false, false, false])
})

it('rule 59: whoever lacks the permission, the network or the factor finds nothing of others by a call for customers and staff', async () => {
  const orStaff = handlers.filter(({ contract: { access } }) => access.who !== 'staff' && access.orStaff)
  const mine = permission('fixture.mine', ['admin'])
  const lent = orStaff.map((one) => {
    const access = { ...one.contract.access, orStaff: mine } as Access
    return { ...one, contract: { ...one.contract, access } }
  })
  const [base, strictBase] = [await served(app, lent), await served(strict, lent)]
  const named = await ticketWithAll(test, await signedIn(app))
  const ask = async (person: Person, { contract }: Handler, at = base, from = '127.0.0.1') => {
    const { method, id } = contract
    const path = contract.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(named[name]))
    const sent = method === 'GET' ? {} : { body: JSON.stringify(bodies[id]?.() ?? {}) }
    const type = method !== 'GET' && { 'content-type': 'application/json' }
    const headers = { ...bearer(person), 'x-forwarded-for': from, ...type }
    const response = await fetch(at + path, { method, headers, ...sent })
    const code = response.status === 403 && parsed(await response.text())?.errors?.[0]?.code
    return `${id} ${response.ok ? 'done' : code || response.status}`
  }
  const [holder, other] = [
    await signedIn(app, { roles: ['admin'] }),
    await signedIn(app, { roles: ['support'] }),
  ]
  for (const one of closingLast(lent)) {
    expect(await ask(other, one)).toBe(`${one.contract.id} 404`)
    expect(await ask(holder, one, base, '203.0.113.9')).toBe(`${one.contract.id} network_not_allowed`)
    expect(await ask(holder, one, strictBase)).toBe(`${one.contract.id} two_factor_required`)
    expect(await ask(holder, one)).toBe(`${one.contract.id} done`)
  }
})

it('rule 59: a view ends with the permission to view, whatever other roles the member has then', async () => {
  const [member, customer] = [await signedIn(app, { roles: ['support'] }), await signedIn(app)]
  const view_id = await startViewOf(app, member, customer, 900)
  const look = async () => {
    const headers = { ...bearer(member), 'x-view-as': view_id }
    return (await fetch(`${url}/api/users/detail/`, { headers })).status
  }
  expect(await look()).toBe(200)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, member.user_id, ['billing']))
  expect(await look()).toBe(403)
})

it('rule 59: no call of staff acts on an account of the member, nor on one that is linked with it', async () => {
  const member = await signedIn(app, { roles: ['owner'] })
  const twin = await signedIn(app, { email: member.email.replace('@', '+second@') })
  const host_of = async ({ user_id }: Person) =>
    (await transaction(app, 'system', (tx) => createHost(tx, { user_id, name: 'mine', ipv4: null })))
      .public_id
  const acting = handlers.map(({ contract }) => contract).filter(actsOnAccount)
  expect(acting.length).toBeGreaterThan(25)
  for (const account of [member, twin]) {
    const [hostId, { public_id: publicId }] = [
      await host_of(account),
      await issuedInvoice(app, account.user_id),
    ]
    const lineId = await bookedLine(test, account.user_id)
    const named: Record<string, string> = { userId: account.user_id, hostId, publicId, lineId }
    for (const { method, path, access } of acting) {
      const isNamedByBody = access.who === 'staff' && access.account === 'body'
      const params = isNamedByBody ? {} : named
      const response = await fetch(
        url + path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => params[name] ?? randomUUID()),
        {
          method,
          headers: { ...bearer(member), 'content-type': 'application/json' },
          body: JSON.stringify(isNamedByBody ? { user_id: account.user_id } : {}),
        },
      )
      const { errors } = (await response.json()) as { errors?: { code: string }[] }
      expect([response.status, errors?.[0]?.code], `${method} ${path}`).toEqual([403, 'own_account'])
    }
  }
})

it('rule 59: a call of staff that does not say on which account it acts keeps the server from starting', () => {
  const writing = (access: Access, errors = {}) => [
    { method: 'POST', path: '/api/fixture/' as const, access, errors } as const,
  ]
  const silent = staff(permission('fixture.silent', ['admin']))
  expect(() => assertPolicies(writing(silent), [])).toThrow('does not say on which account it acts')
  expect(() => assertPolicies(writing({ ...silent, account: 'body' }), [])).toThrow('403 own_account')
  const declared = { 403: ['own_account'] }
  expect(() => assertPolicies(writing({ ...silent, account: 'body' }, declared), [])).not.toThrow()
  // These act on accounts that only they find, and ask `mayBeOne` of each.
  const found = handlers.filter(
    ({ contract: { access } }) => access.who === 'staff' && access.account === 'found',
  )
  const ids = found.map(({ contract }) => contract.id).toSorted()
  expect(ids.join(' ')).toBe('bookExactLines decideApproval makePayoutFile markFileSent')
})

it('rule 1: the server refuses to boot with a route that does not declare its callers', () => {
  const mute = route({
    id: 'mute',
    tag: 'Servers',
    method: 'GET',
    path: '/api/fixture/mute/',
    access: { who: undefined as unknown as 'anyone' },
    summary: 'x',
    replies: { 200: null },
  })
  const server = fastify() as unknown as FastifyInstance
  expect(() => mount(server, app, [handler(mute, async () => ({ status: 200 }))])).toThrow(
    'does not say who may call it',
  )
})

it('rule 1: the server refuses to boot with a call by which customers write that does not say whether blocked ones may', () => {
  const mute = route({
    id: 'mute',
    tag: 'Servers',
    method: 'POST',
    path: '/api/fixture/mute/',
    access: { who: 'customer' },
    summary: 'x',
    replies: { 200: null },
  })
  const server = fastify() as unknown as FastifyInstance
  expect(() => mount(server, app, [handler(mute, async () => ({ status: 200 }))])).toThrow('whileBlocked')
})

it('rule 1: the server refuses to boot with a call that gives the role read more or less than what full helpers read', () => {
  const taking = (method: 'GET' | 'POST', roles: readonly HelperRole[]) => () =>
    assertPolicies(
      [{ method, path: '/api/fixture/', access: { ...ofCustomer, acts: capability('fixture', roles) } }],
      [],
    )
  expect(taking('POST', ['full', 'read'])).toThrow('the role read')
  expect(taking('GET', ['full'])).toThrow('the role read')
})

it('rule 5: rights are read at each request: un-staff, sign-out and deactivation bite at the next call', async () => {
  const ask = async (kind: string, headers: Record<string, string>) =>
    (await fetch(`${fixtureUrl}/api/fixture/${kind}/`, { method: 'POST', headers })).status
  const person = await signedIn(app, { is_staff: true })
  expect(await ask('staff-support', bearer(person))).toBe(200)
  await setStaff(app, person.user_id, false)
  expect(await ask('staff-support', bearer(person))).toBe(403)
  expect(await ask('customer', bearer(person))).toBe(200)
  await setActive(app, person.user_id, false)
  expect(await ask('customer', bearer(person))).toBe(401)
  expect(await ask('customer', session(person.session_token))).toBe(401)
  await setActive(app, person.user_id, true)
  expect(await ask('customer', bearer(person))).toBe(200)
  await signOut(app, person)
  expect(await ask('customer', bearer(person))).toBe(401)
  expect(await ask('customer', session(person.session_token))).toBe(401)
})

it('rules 1, 5: roles, factor, network and proof of a member are judged without a statement of their own', async () => {
  const statements = vi.spyOn(pg.Client.prototype, 'query')
  const costOf = async (base: string, kind: string, headers: Record<string, string>) => {
    statements.mockClear()
    expect((await fetch(`${base}/api/fixture/${kind}/`, { method: 'POST', headers })).status).toBe(200)
    return statements.mock.calls.length
  }
  const [customer, member] = [
    await signedIn(app),
    await signedIn(app, { roles: ['support', 'billing'], factor: 'totp' }),
  ]
  const own = await costOf(fixtureUrl, 'customer', bearer(customer))
  expect(own, 'the session').toBe(1)
  for (const base of [fixtureUrl, strictly.fixtures])
    for (const kind of ['staff-support', 'staff-support-recent'])
      expect(await costOf(base, kind, bearer(member)), kind).toBe(own)
  statements.mockRestore()
})

it('rule 16: what the loader of sessions finds is never a half-finished login', async () => {
  const person = await signedIn(app)
  const token = await halfSignedIn(app, person.user_id, person.email)
  const asBearer = await fetch(`${fixtureUrl}/api/fixture/customer/`, {
    method: 'POST',
    headers: bearer({ access_token: token }),
  })
  const asSession = await fetch(`${fixtureUrl}/api/fixture/customer/`, {
    method: 'POST',
    headers: session(token),
  })
  expect([asBearer.status, asSession.status]).toEqual([401, 401])
})
