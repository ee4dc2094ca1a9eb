import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as contract from '#features/hosts/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import type { Client } from '#tests/harness/client.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, paidHost, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { pageOfHosts } from './list.ts'

const test = await startTestApp()
type Query = InputOf<typeof contract.listHosts>['query']

const namesOf = async (api: Client, query: Query) =>
  bodyOf(await api.call(contract.listHosts, { query }), 200).items.map(({ name }) => name)

it('H-02 lists the newest first, and searches names and addresses without patterns', async () => {
  const { api } = await signedInCustomer(test)
  for (const [name, ipv4] of [
    ['Mail', '10.20.30.40'],
    ['100%_sure', '10.20.30.41'],
    ['СЕРВЕР', '192.168.1.1'],
    ['back\\slash', null],
  ] as const)
    await addHost(api, { name, ipv4 })
  expect(await namesOf(api, {})).toEqual(['back\\slash', 'СЕРВЕР', '100%_sure', 'Mail'])
  expect(await namesOf(api, { q: 'mAi' })).toEqual(['Mail'])
  expect(await namesOf(api, { q: 'сервер' })).toEqual(['СЕРВЕР'])
  expect(await namesOf(api, { q: 'сервер\u0301' })).toEqual(['СЕРВЕР'])
  expect(await namesOf(api, { q: ' 20.30 ' })).toEqual(['100%_sure', 'Mail'])
  expect(await namesOf(api, { q: '%' })).toEqual(['100%_sure'])
  expect(await namesOf(api, { q: '_' })).toEqual(['100%_sure'])
  expect(await namesOf(api, { q: '\\' })).toEqual(['back\\slash'])
  expect(await namesOf(api, { q: "' or true --" })).toEqual([])
  expect(await namesOf(api, { q: '' })).toHaveLength(4)
})

it('gives customers who ask at the same time their own hosts, each as many as asked for', async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  for (const name of ['first', 'second']) await addHost(one.api, { name })
  await addHost(other.api, { name: 'third' })
  const page = ({ user_id }: { user_id: string }, limit: number) =>
    pageOfHosts(test.app.db, user_id, { sort: 'created_at', limit })
  // Three requests need not arrive in one turn of the event loop.
  const pages = await Promise.all([page(one, 9), page(other, 9), page(one, 1)])
  const names = pages.map(({ items }) => items.map(({ name }) => name))
  expect(names).toEqual([['second', 'first'], ['third'], ['second']])
})

it('filters by licence and connection', async () => {
  const customer = await signedInCustomer(test)
  const { api } = customer
  await addHost(api, { name: 'free' })
  const active = await paidHost(test, customer, 60_000)
  const expired = await paidHost(test, customer, -60_000)
  const ids = async (query: Query) =>
    bodyOf(await api.call(contract.listHosts, { query }), 200).items.map(({ id }) => id)
  expect(await ids({ licence: 'active' })).toEqual([active.id])
  expect(await ids({ licence: 'expired' })).toEqual([expired.id])
  expect(await namesOf(api, { licence: 'free' })).toEqual(['free'])
  await asOwner(
    test,
    `insert into host_agents (host_id, user_id, token_hash, last_seen_at)
     select id, user_id, sha256(public_id::bytea), now() - case when public_id = $1 then interval '59 s' else interval '61 s' end
     from hosts where public_id in ($1, $2)`,
    [active.id, expired.id],
  )
  expect(await ids({ connected: 'yes' })).toEqual([active.id])
  expect(await ids({ connected: 'no' })).not.toContain(active.id)
  expect(await ids({ connected: 'no', licence: 'expired' })).toEqual([expired.id])
})

it('sorts names as people do, and never-paid hosts after paid ones, both ways', async () => {
  const customer = await signedInCustomer(test)
  for (const name of ['web-10', 'Web-2', 'äpfel', 'zoo', 'apfel']) await addHost(customer.api, { name })
  await paidHost(test, customer, 60_000)
  expect(await namesOf(customer.api, { sort: 'name' })).toEqual([
    'apfel',
    'äpfel',
    'paid',
    'Web-2',
    'web-10',
    'zoo',
  ])
  expect((await namesOf(customer.api, { sort: 'paid_until', direction: 'asc' }))[0]).toBe('paid')
  expect((await namesOf(customer.api, { sort: 'paid_until', direction: 'desc' }))[0]).toBe('paid')
})

it.each([
  [{ sort: 'ipv4' }, 'sort'],
  [{ direction: 'up' }, 'direction'],
  [{ licence: 'paid' }, 'licence'],
  [{ connected: 'true' }, 'connected'],
  [{ limit: '101' }, 'limit'],
  [{ cursor: 'eA' }, 'cursor'],
])('refuses %j', async (query, param) => {
  const { api } = await signedInCustomer(test)
  expect((await api.get('/api/hosts/', { query })).body).toEqual(refusal(400, 'invalid', param))
})

it('refuses a cursor of another order, and times that no calendar has', async () => {
  const { api } = await signedInCustomer(test)
  for (const name of ['one', 'two']) await addHost(api, { name })
  const { next_cursor } = bodyOf(
    await api.call(contract.listHosts, { query: { sort: 'name', limit: '1' } }),
    200,
  )
  const refused = async (query: Record<string, string>) =>
    expect((await api.get('/api/hosts/', { query })).body).toEqual(refusal(400, 'invalid', 'cursor'))
  await refused({ sort: 'created_at', cursor: String(next_cursor) })
  await refused({ sort: 'name', direction: 'desc', cursor: String(next_cursor) })
  for (const time of [
    '+275760-09-13T00:00:00.000Z',
    '-000044-03-15T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
  ])
    await refused({
      cursor: Buffer.from(JSON.stringify(['created_at', 'desc', time, '1'])).toString('base64url'),
    })
})

const host = fc.record({
  // Few names and few times, so that there are many ties.
  name: fc.constantFrom('a', 'A', 'b', 'ä', 'host-2', 'host-10', 'сервер', '"quoted"'),
  created: fc.nat(2),
  paid: fc.option(fc.nat(2)),
})

// This test failed while nulls were compared as they are, and while a cursor held the time without the row's id.
it('walks every order to its end, each host exactly once, however many are alike', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(host, { maxLength: 14 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('name', 'created_at', 'paid_until'),
      fc.constantFrom('asc', 'desc'),
      async (hosts, limit, sort, direction) => {
        const { api, user_id } = await signedInCustomer(test)
        await asOwner(
          test,
          `insert into hosts (public_id, user_id, name, licence_key, created_at, paid_until)
           select left(md5($1::text || place), 22), $1::uuid, name, md5($1::text || place),
             timestamptz '2026-01-01' + make_interval(secs => created),
             timestamptz '2026-02-01' + make_interval(secs => paid)
           from json_to_recordset($2) as t (name text, created int, paid int, place int)`,
          [user_id, JSON.stringify(hosts.map((one, place) => ({ ...one, place })))],
        )
        const query = { sort, direction } as const
        const whole = bodyOf(await api.call(contract.listHosts, { query: { ...query, limit: '100' } }), 200)
        const walked: string[] = []
        let cursor: string | undefined
        do {
          const page = bodyOf(
            await api.call(contract.listHosts, {
              query: { ...query, limit: String(limit), ...(cursor ? { cursor } : {}) },
            }),
            200,
          )
          expect(page.items.length).toBeLessThanOrEqual(limit)
          walked.push(...page.items.map(({ id }) => id))
          cursor = page.next_cursor ?? undefined
        } while (cursor)
        expect(walked).toEqual(whole.items.map(({ id }) => id))
        expect(new Set(walked).size).toBe(hosts.length)
      },
    ),
    { numRuns: 40 },
  )
}, 60_000)
