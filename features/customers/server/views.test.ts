import { afterAll, expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import * as contract from '#features/customers/contract.ts'
import { listHosts } from '#features/hosts/contract.ts'
import { getProfile, updateProfile } from '#features/profile/contract.ts'
import {
  deactivateTotp,
  listActivity,
  listDevices,
  reauthenticateByCode,
} from '#features/security/contract.ts'
import { giveRoles } from '#features/team/server/give-roles.ts'
import type { Route } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setAccess, setStaffRoles } from '#foundation/server/session/session.ts'
import { makeAccount, signIn, switchOnTotp, totpCode } from '#tests/contract/accounts.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { bodyOf, paidHost } from '#tests/harness/hosts.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const superuser = await superuserOf(test)
afterAll(() => superuser.end())

async function member(...roles: Role[]): Promise<Customer> {
  const person = await signedInCustomer(test)
  await person.api.call(updateProfile, { body: { name: 'Jonas', surname: 'Weber' } })
  await transaction(test.app, 'system', (tx) => setStaffRoles(tx, person.user_id, roles))
  return person
}
const body = { reason: 'Sees no invoices' }
const begin = ({ api }: Customer, { user_id }: { user_id: string }, more: object = {}) =>
  api.call(contract.startView, { params: { userId: user_id }, body: { ...body, ...more } })
const begun = async (by: Customer, of: { user_id: string }) => bodyOf(await begin(by, of), 201)
const through = (id: string) => ({ headers: { 'x-view-as': id } })
const codeOf = ({ status, body }: { status: number; body?: unknown }) => [
  status,
  (body as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code,
]
const ENDED = [403, 'view_ended']

it('C-06 a member sees what the customer sees, and the customer reads who looked', async () => {
  const support = await member('support')
  const person = await signedInCustomer(test)
  await person.api.call(updateProfile, { body: { name: 'Anna' } })
  const view = await begun(support, person)
  expect(Date.parse(view.expires_at) - Date.now()).toBeLessThanOrEqual(900_000)
  const own = bodyOf(await support.api.call(getProfile, {}, through(view.id)), 200)
  expect(own).toEqual(bodyOf(await person.api.call(getProfile, {}), 200))
  expect(own).toMatchObject({ name: 'Anna', is_staff: false })
  expect(bodyOf(await support.api.call(getProfile, {}), 200)).toMatchObject({ name: 'Jonas' })
  const { items } = bodyOf(await person.api.call(listActivity, { query: {} }), 200)
  expect(items[0]).toMatchObject({
    act: 'customer.viewed',
    by: 'support',
    by_name: 'Jonas',
    message: null,
    ip: null,
  })
  expect((await support.api.call(contract.endView, { params: { id: view.id } })).status).toBe(204)
  expect(codeOf(await support.api.call(getProfile, {}, through(view.id)))).toEqual(ENDED)
  expect((await support.api.call(contract.endView, { params: { id: view.id } })).status).toBe(404)
})

/** Returns a checksum of all rows of each table, by the name of the table. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await superuser.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const sums = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as sum from ${name} t`,
  )
  const { rows } = await superuser.query<{ name: string; sum: string }>(sums.join(' union all '))
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

it('C-06 a view answers reading calls alone: each of them as to the customer, no other at all, and nothing is written', async () => {
  const office = await member('admin')
  const person = await signedInCustomer(test)
  const host = await paidHost(test, person, 86_400_000)
  const { public_id } = await issuedInvoice(test.app, person.user_id)
  const ticket = must(await opened(person)) as { id: string }
  const { id } = await begun(office, person)
  const ids: Record<string, string> = { hostId: host.id, publicId: public_id, chatId: ticket.id }
  const pathOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? id)

  const before = await everything()
  const all = routes.map(({ contract: route }) => route)
  const ask = (route: Route, api: typeof office.api, options: object) =>
    api.send(route.method, pathOf(route.path), route.method === 'GET' ? undefined : {}, options)
  // These are over a thousand requests, sent one after the other: the server would put off so many at once.
  for (const route of all.filter(({ viewable }) => !viewable))
    expect([route.id, (await ask(route, office.api, through(id))).status]).toEqual([route.id, 403])
  // A method for which a path has no contract is refused, too.
  const known = new Set(all.map((route) => `${route.method} ${route.path}`))
  for (const path of new Set(all.map((route) => route.path)))
    for (const method of METHODS.filter((one) => !known.has(`${one} ${path}`))) {
      const { status } = await office.api.send(method, pathOf(path), undefined, through(id))
      expect([method, path, status >= 400 && status < 500]).toEqual([method, path, true])
    }
  const served = all.filter(({ viewable }) => viewable)
  for (const route of served) {
    const [seen, own] = [await ask(route, office.api, through(id)), await ask(route, person.api, {})]
    expect([route.id, seen.status, timeless(seen.body)]).toEqual([route.id, own.status, timeless(own.body)])
  }
  expect(await everything()).toEqual(before)
  // Members of staff see everything that the calls of this list answer: before a call is added, check that its answer has no
  // secret, code, key, session or file of all data.
  expect(served.map((route) => route.id).toSorted()).toEqual(VIEWABLE)
}, 180_000)

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Returns an answer without its times, because a second may pass between two answers. */
const timeless = (body: unknown) =>
  JSON.stringify(body, (name, value: unknown) => (['remaining_s', 'times'].includes(name) ? 0 : value))

const VIEWABLE = [
  'countUnread',
  'expectAnswer',
  'expectNewAnswer',
  'getAlertSettings',
  'getAttachment',
  'getAutoTopUp',
  'getAutoTopUpRun',
  'getBilling',
  'getConfig',
  'getFinances',
  'getHost',
  'getHostAlerts',
  'getInvoice',
  'getMailPreferences',
  'getMetrics',
  'getPreview',
  'getProfile',
  'getRating',
  'getStatement',
  'getTerms',
  'getTicket',
  'getTicketMails',
  'listActivity',
  'listAddresses',
  'listAlerts',
  'listAuthenticators',
  'listAutoTopUpRuns',
  'listCheckouts',
  'listCountries',
  'listHosts',
  'listInvoices',
  'listLanguages',
  'listMachines',
  'listMessages',
  'listMethods',
  'listNotices',
  'listPaidPeriods',
  'listPayouts',
  'listPlans',
  'listPublicNotices',
  'listSignedStatements',
  'listSuspended',
  'listTickets',
  'listTransactions',
  'listWaitingTransfers',
]

it('C-06 a view ends with its time, with the rights and the session of the member, and where the account is locked', async () => {
  const person = await signedInCustomer(test)
  const ask = async (by: Customer, id: string) =>
    codeOf(await by.api.call(listHosts, { query: {} }, through(id)))[0]

  const late = await member('support')
  const { id } = await begun(late, person)
  expect(await ask(late, id)).toBe(200)
  const { rows } = await superuser.query<{ lasts: string }>(
    `select (expires_at - created_at)::text as lasts from view_sessions where id = $1`,
    [id],
  )
  expect(rows).toEqual([{ lasts: '00:15:00' }])
  const pass = (minutes: number) =>
    superuser.query(
      'update view_sessions set expires_at = expires_at - make_interval(mins => $2) where id = $1',
      [id, minutes],
    )
  await pass(14)
  expect(await ask(late, id)).toBe(200)
  await pass(1)
  expect(await ask(late, id)).toBe(403)

  const leaving = await member('support')
  const theirs = await begun(leaving, person)
  await transaction(test.app, 'system', (tx) =>
    giveRoles(test.app, tx, { user_id: leaving.user_id, roles: ['billing'], by: late.user_id }),
  )
  expect(await ask(leaving, theirs.id)).toBe(401)

  const locking = await member('support')
  const looked = await begun(locking, person)
  await transaction(test.app, 'system', (tx) =>
    setAccess(tx, person.user_id, { access: 'locked', message: '' }),
  )
  expect(await ask(locking, looked.id)).toBe(403)
  expect(codeOf(await begin(locking, person))).toEqual([409, 'account_locked'])
})

it('C-06 a view ends with the last factor of the member, and a new one does not bring it back', async () => {
  const account = await makeAccount(test.app)
  const api = test.client()
  await signIn(api, account)
  const secret = await switchOnTotp(api)
  await api.call(reauthenticateByCode, { body: { code: totpCode(secret, 1) } })
  await transaction(test.app, 'system', (tx) => setStaffRoles(tx, account.user_id, ['support']))
  const person = await signedInCustomer(test)
  const by = { api } as Customer
  const { id } = await begun(by, person)
  expect((await api.call(listHosts, { query: {} }, through(id))).status).toBe(200)
  expect((await api.call(deactivateTotp, {})).status).toBe(200)
  expect(codeOf(await api.call(listHosts, { query: {} }, through(id)))).toEqual(ENDED)
})

it('C-06 nobody looks at members, at their own account, at a fourth one, or without a reason', async () => {
  const [one, other] = [await member('support'), await member('admin')]
  const person = await signedInCustomer(test)
  expect(codeOf(await begin(one, other))).toEqual([403, 'not_allowed'])
  expect(codeOf(await begin(one, one))).toEqual([403, 'own_account'])
  expect(codeOf(await begin(await member('billing'), person))).toEqual([403, 'not_allowed'])
  expect(codeOf(await begin(one, person, { reason: '' }))).toEqual([400, 'required'])
  const foreign = (await opened(await signedInCustomer(test))) as { id: string }
  expect(codeOf(await begin(one, person, { ticket_id: foreign.id }))).toEqual([400, 'invalid'])
  expect(codeOf(await begin(one, { user_id: '00000000-0000-4000-8000-000000000000' }))).toEqual([
    404,
    'not_found',
  ])
  const asked = await Promise.all(Array.from({ length: 5 }, () => begin(one, person)))
  expect(asked.map(codeOf).filter(([status]) => status === 201)).toHaveLength(3)
  expect(asked.map(codeOf).filter(([, code]) => code === 'too_many_views')).toHaveLength(2)
  const view = must(asked.find(({ status }) => status === 201)).body as { id: string }
  expect((await other.api.call(contract.endView, { params: { id: view.id } })).status).toBe(404)
  expect(codeOf(await other.api.call(listHosts, { query: {} }, through(view.id)))).toEqual(ENDED)
  expect(codeOf(await person.api.call(listHosts, { query: {} }, through(view.id)))).toEqual(ENDED)
  expect(codeOf(await one.api.call(listDevices, {}, through(view.id)))[0]).toBe(403)
})
