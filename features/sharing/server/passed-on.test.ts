import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { setBlock } from '#features/customers/contract.ts'
import { HOST_CHANGED, listHosts } from '#features/hosts/contract.ts'
import { PROFILE_CHANGED } from '#features/profile/contract.ts'
import { factorsChanged } from '#features/security/contract.ts'
import * as contract from '#features/sharing/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { updateUser } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { endGrant, helperOf as makeHelper, type Terms } from '#tests/harness/grants.ts'
import { addHost, asOwner, bodyOf, getHost, patchHost, refusal } from '#tests/harness/hosts.ts'
import { leave } from '#tests/harness/leaving.ts'
import { addMoney } from '#tests/harness/money.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import { anyAddress, goods, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
await stockShop(test)
const staff = await signedInStaff(test)
const admin = await superuserOf(test)
afterAll(() => admin.end())
const PRICE = goods['standard-month'].total
const expected_total = { amount: String(PRICE), currency: 'EUR' }
const helperOf = (owner: Customer, terms?: Terms, grantee?: Customer) =>
  makeHelper(test, owner, terms, grantee)

/** A client, its agency, and one of the agency's people. */
async function chain(terms: Terms = {}, second: Terms = {}) {
  const owner = await signedInCustomer(test)
  const agency = await helperOf(owner, { role: 'full', may_pass_on: true, ...terms })
  const person = await helperOf(agency, { role: 'full', ...second })
  const host = await addHost(owner.api, { ipv4: anyAddress() })
  return { owner, agency, person, host }
}

const accountsOf = async ({ api }: Customer) =>
  bodyOf(await api.call(contract.listAccounts, { query: {} }), 200).items

const setAccess = async ({ user_id: userId }: Customer, level: 'none' | 'blocked' | 'locked') => {
  const body = { level, cause: 'terms' as const, reason: 'A reason', message: 'Please call us.' }
  return bodyOf(await staff.api.call(setBlock, { params: { userId }, body }), 200)
}

const setFactors = ({ user_id }: Customer, factors: 'totp'[]) =>
  transaction(test.app, 'system', async (tx) => {
    await updateUser(tx, user_id, { factors })
    await emit(test.app, tx, factorsChanged, { user_id })
  })

type Way = readonly (string | undefined)[]
const inOrder = (ways: readonly Way[]) =>
  ways.toSorted((one, other) => one.join(' ').localeCompare(other.join(' ')))

/** Everybody of whom an owner's list says that they may act, with the role and the account through which they do. */
const peopleOf = async ({ api }: Customer): Promise<Way[]> =>
  inOrder(
    bodyOf(await api.call(contract.listPeople, { query: {} }), 200).items.map(
      ({ account, role, through }) => [account.id, role, through?.id],
    ),
  )

/** The number of sessions that wait for a lock of another. */
const waiting = async () =>
  (
    await admin.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
  ).rows.length

const renew = ({ api }: Customer, hostId: string) =>
  api.post(
    `/api/hosts/${hostId}/licence/`,
    { plan: 'standard-month', expected_total },
    { headers: { 'idempotency-key': randomUUID() } },
  )

describe('O-09 a grant that is passed on', () => {
  it('lets the people of an agency act for its clients, by name, with the role that both allow', async () => {
    const { owner, agency, person, host } = await chain({ role: 'technical' })
    expect(bodyOf(await getHost(person.api, host.id), 200)).toMatchObject({
      account: { id: owner.user_id, role: 'technical' },
      licence: { price: null },
    })
    expect((await patchHost(person.api, host.id, { name: 'by-a-person' })).status).toBe(200)
    const query = { for: 'all' as const }
    expect(bodyOf(await person.api.call(listHosts, { query }), 200).items.map(({ id }) => id)).toEqual([
      host.id,
    ])
    expect((await accountsOf(person)).map(({ id, role, through }) => [id, role, through?.id])).toEqual(
      expect.arrayContaining([
        [agency.user_id, 'full', undefined],
        [owner.user_id, 'technical', agency.user_id],
      ]),
    )
    expect((await accountsOf(agency)).map(({ through }) => through)).toEqual([null])
    expect(
      await asOwner(test, `select detail->>'by' as by from audit where user_id = $1 and act = $2`, [
        owner.user_id,
        'host.changed_by_helper',
      ]),
    ).toEqual([{ by: person.user_id }])
  })
  it('ends with either of its links, at the next call, and an open stream tells nothing more', async () => {
    const ends: Record<string, (all: Awaited<ReturnType<typeof chain>>) => Promise<unknown>> = {
      'the owner revokes': ({ owner, agency }) => endGrant(owner, agency.grantId),
      'the agency revokes': ({ agency, person }) => endGrant(agency, person.grantId),
      'the agency leaves': ({ agency }) => endGrant(agency, agency.grantId),
      'the person leaves': ({ person }) => endGrant(person, person.grantId),
      'the agency closes its account': ({ agency }) => leave(agency),
      'the owner passes it on no more': ({ owner, agency }) =>
        owner.api.call(contract.updateGrant, {
          params: { grantId: agency.grantId },
          body: { may_pass_on: false, version: 2 },
        }),
      'the agency narrows it to some servers': async ({ agency, person }) => {
        const own = await addHost(agency.api, {})
        const body = { role: 'technical' as const, all_hosts: false, host_ids: [own.id], version: 2 }
        return agency.api.call(contract.updateGrant, { params: { grantId: person.grantId }, body })
      },
    }
    for (const [name, end] of Object.entries(ends)) {
      const all = await chain()
      const { owner, person, host } = all
      expect((await getHost(person.api, host.id)).status, name).toBe(200)
      const stream = await openEvents(test.url, person.api.access_token ?? '')
      await patchHost(owner.api, host.id, { name: 'heard' })
      await stream.until(({ type }) => type === HOST_CHANGED)
      await end(all)
      const heard = stream.events.length
      await patchHost(owner.api, host.id, { name: 'unheard' })
      await transaction(test.app, 'system', (tx) => publish(tx, person.user_id, { type: PROFILE_CHANGED }))
      await stream.until(({ type }) => type === PROFILE_CHANGED)
      const after = stream.events.slice(heard).map(({ type }) => type)
      expect(
        after.filter((type) => type !== contract.SHARING_CHANGED && type !== PROFILE_CHANGED),
        name,
      ).toEqual([])
      stream.close()
      expect((await getHost(person.api, host.id)).status, name).toBe(404)
      expect((await patchHost(person.api, host.id, { name: 'late' })).status, name).toBe(404)
      expect((await person.api.get(`/api/hosts/?for=${owner.user_id}`)).status, name).toBe(404)
    }
  })
  it('leads only through a helper who could act now, for calls, lists and live events alike', async () => {
    const stops: Record<string, string> = {
      blocked: "access = 'blocked'",
      locked: "access = 'locked'",
      deactivated: 'is_active = false',
      'without the second factor': "factors = '{}'",
    }
    const set = (id: string, what: string) => asOwner(test, `update users set ${what} where id = $1`, [id])
    const { owner, agency, person, host } = await chain({ needs_second_factor: true })
    const withFactor = "factors = '{totp}'"
    await set(person.user_id, withFactor)
    const audience = async () =>
      (
        await asOwner(
          test,
          `select a.person, is_held(a.person, a.held) from audience_of($1, '{full}', $2) a order by a.person <> $3`,
          [owner.user_id, host.id, agency.user_id],
        )
      ).map((row) => (row as { person: string }).person)
    const seen = async () => [
      (await getHost(person.api, host.id)).status,
      (await patchHost(person.api, host.id, { name: `now-${randomUUID().slice(0, 8)}` })).status,
      (await person.api.post(`/api/hosts/${host.id}/agent-token/`, {})).status === 201,
      (await accountsOf(person)).length,
    ]
    for (const [name, stop] of Object.entries(stops)) {
      await set(agency.user_id, withFactor)
      expect(await seen(), name).toEqual([200, 200, true, 2])
      expect(await audience(), name).toEqual([agency.user_id, person.user_id])
      const [held] = await asOwner(test, `select held from audience_of($1, '{full}', $2) where person = $3`, [
        owner.user_id,
        host.id,
        person.user_id,
      ])
      await set(agency.user_id, stop)
      expect((await seen()).slice(0, 3), name).toEqual([404, 404, false])
      expect(await audience(), name).not.toContain(person.user_id)
      // An event that was written before is withheld when it is sent.
      expect(
        await asOwner(test, 'select is_held($1, $2::jsonb) as held', [
          person.user_id,
          JSON.stringify(must(held as Record<string, unknown> | undefined)['held']),
        ]),
        name,
      ).toEqual([{ held: false }])
      await set(agency.user_id, "access = 'open', is_active = true")
    }
  })
  it('shows the owner everybody who acts, and through whom, by name and in pages, and nobody who could not act', async () => {
    const { owner, agency, person } = await chain({ needs_second_factor: true })
    const direct = await helperOf(owner, { role: 'technical' }, person)
    const colleague = await helperOf(agency, { role: 'technical' })
    await helperOf(agency, { role: 'technical', host_ids: [(await addHost(agency.api, {})).id] })
    expect(await peopleOf(owner), 'without the factor that the owner asks for').toEqual([
      [person.user_id, 'technical', undefined],
    ])
    for (const one of [agency, person, colleague]) await setFactors(one, ['totp'])
    const all = [
      [agency.user_id, 'full', undefined],
      [person.user_id, 'full', agency.user_id],
      [person.user_id, 'technical', undefined],
      [colleague.user_id, 'technical', agency.user_id],
    ]
    expect(await peopleOf(owner)).toEqual(inOrder(all))
    const pages: Way[] = []
    for (let cursor: string | undefined; ;) {
      const query = { limit: '1', ...(cursor && { cursor }) }
      const { items, next_cursor } = bodyOf(await owner.api.call(contract.listPeople, { query }), 200)
      pages.push(...items.map(({ account, role, through }) => [account.id, role, through?.id]))
      if (next_cursor === null) break
      cursor = next_cursor
    }
    expect(inOrder(pages)).toEqual(await peopleOf(owner))
    await setAccess(agency, 'blocked')
    expect(await peopleOf(owner), 'a blocked helper still reads').toEqual(
      inOrder(all.filter(([, , through]) => through === undefined)),
    )
    await setAccess(agency, 'locked')
    expect(await peopleOf(owner)).toEqual([[person.user_id, 'technical', undefined]])
    await endGrant(owner, direct.grantId)
    expect(await peopleOf(owner)).toEqual([])
  })
  it('says within two seconds to the owner and those behind that a way opens or closes, and sends those behind nothing more', async () => {
    const { owner, agency, person, host } = await chain()
    const listen = ({ api }: Customer) => openEvents(test.url, api.access_token ?? '')
    const streams = { owner: await listen(owner), person: await listen(person) }
    const heard = () => Object.values(streams).map(({ events }) => events.filter(isSharing).length)
    const isSharing = ({ type }: { type: string }) => type === contract.SHARING_CHANGED
    await patchHost(owner.api, host.id, { name: 'heard' })
    await streams.person.until(({ type }) => type === HOST_CHANGED)
    const changes: (() => Promise<unknown>)[] = [
      () => setAccess(agency, 'blocked'),
      () => setAccess(agency, 'none'),
      () => setFactors(agency, ['totp']),
      () => setFactors(agency, []),
      () => setAccess(agency, 'locked'),
    ]
    for (const change of changes) {
      const before = heard()
      const took = ownClock()
      await change()
      await expect.poll(heard).toEqual(before.map((count) => count + 1))
      expect(took()).toBeLessThan(2000)
    }
    const before = streams.person.events.length
    await patchHost(owner.api, host.id, { name: 'unheard' })
    await streams.owner.until(({ type, data }) => type === HOST_CHANGED && data['host_id'] === host.id)
    await transaction(test.app, 'system', (tx) =>
      publish(tx, person.user_id, { type: contract.SHARING_CHANGED }),
    )
    await expect.poll(() => streams.person.events.length).toBeGreaterThan(before)
    expect(streams.person.events.slice(before).map(({ type }) => type)).toEqual([contract.SHARING_CHANGED])
    for (const stream of Object.values(streams)) stream.close()
  })
  it('lets an act that runs end before the helper in the middle is blocked, and refuses one that waits for the block or loses the factor', async () => {
    const { owner, agency, person, host } = await chain({ needs_second_factor: true })
    for (const one of [agency, person]) await setFactors(one, ['totp'])
    await admin.query('begin')
    await admin.query('select from hosts where public_id = $1 for update', [host.id])
    const act = patchHost(person.api, host.id, { name: 'runs' })
    await expect.poll(waiting).toBe(1)
    const block = setAccess(agency, 'blocked')
    await expect.poll(waiting).toBe(2)
    await admin.query('rollback')
    expect((await act).status).toBe(200)
    await block
    await setAccess(agency, 'none')

    await admin.query('begin')
    await admin.query('select from users where id = $1 for update', [agency.user_id])
    const without = patchHost(person.api, host.id, { name: 'without-factor' })
    await expect.poll(waiting).toBe(1)
    await setFactors(person, [])
    await admin.query('rollback')
    expect((await without).status, 'judged again, with the factor gone').toBe(404)
    await setFactors(person, ['totp'])

    await admin.query('begin')
    await admin.query(`select set_config('app.actor', 'system', true)`)
    await admin.query(`update users set access = 'blocked' where id = $1`, [agency.user_id])
    const late = patchHost(person.api, host.id, { name: 'too-late' })
    await expect.poll(waiting).toBe(1)
    await admin.query('commit')
    expect((await late).status).toBe(404)
    expect(bodyOf(await getHost(owner.api, host.id), 200).name).toBe('runs')
  })
  it('goes to nobody beyond, and not back to its owner', async () => {
    const { owner, agency, person, host } = await chain({}, { may_pass_on: true })
    const third = await helperOf(person, { role: 'full', may_pass_on: true })
    expect((await getHost(third.api, host.id)).status).toBe(404)
    expect((await accountsOf(third)).map(({ id }) => id).toSorted()).toEqual(
      [person.user_id, agency.user_id].toSorted(),
    )
    await helperOf(agency, { role: 'full' }, owner)
    expect((await accountsOf(owner)).map(({ id }) => id)).toEqual([agency.user_id])
    expect(bodyOf(await getHost(owner.api, host.id), 200).account).toBeNull()
  })
  it('spends within the limits of both, of many at once exactly so much', async () => {
    const { owner, agency, person } = await chain(
      { month_limit: String(4n * PRICE) },
      { month_limit: String(2n * PRICE) },
    )
    const colleague = await helperOf(agency, { role: 'billing' })
    await addMoney(test.app, owner.user_id, 20n * PRICE)
    const hosts = []
    for (let place = 0; place < 8; place += 1)
      hosts.push(await addHost(owner.api, { name: `paid-${place}`, ipv4: anyAddress() }))
    const answers = []
    for (const { id } of hosts.slice(0, 3)) answers.push(await renew(person, id))
    expect(answers.map(({ status }): number => status)).toEqual([201, 201, 402])
    expect(must(answers[2]).body).toMatchObject(refusal(402, 'helper_limit_reached'))
    const many = await Promise.all(hosts.slice(2).map(({ id }) => renew(colleague, id)))
    expect(many.filter(({ status }) => status === 201)).toHaveLength(2)
    const spentBy = async (giver: Customer) =>
      bodyOf(await giver.api.call(contract.listGrants, { query: { side: 'given' } }), 200)
        .items.map(({ spent_this_month }) => spent_this_month.amount)
        .toSorted()
    expect(await spentBy(owner)).toEqual([String(4n * PRICE)])
    expect(await spentBy(agency)).toEqual([String(2n * PRICE), String(2n * PRICE)])
    // Renewals come again each term, so neither limit would bound them.
    const limitedLast = await chain({}, { month_limit: '1' })
    for (const [{ api }, { id }] of [
      [colleague, must(hosts[0])],
      [limitedLast.person, limitedLast.host],
    ] as const)
      expect((await patchHost(api, id, { auto_renew: true })).body).toMatchObject(
        refusal(403, 'not_allowed_for_role'),
      )
  })
  it('asks for a second factor where one of both does, and is given with a recent proof', async () => {
    for (const [first, second] of [
      [{ needs_second_factor: true }, {}],
      [{}, { needs_second_factor: true }],
    ]) {
      const { agency, person, host } = await chain(first, second)
      await asOwner(test, `update users set factors = '{totp}' where id = $1`, [agency.user_id])
      expect((await getHost(person.api, host.id)).body).toMatchObject(refusal(403, 'second_factor_required'))
    }
    const owner = await signedInCustomer(test, { proven_s_ago: 4000 })
    const body = { email: 'some@example.org', role: 'technical' as const, all_hosts: true }
    const asked = await owner.api.call(contract.createGrant, { body: { ...body, may_pass_on: true } })
    expect(asked.body).toMatchObject(refusal(403, 'reauthentication_required'))
    expect((await owner.api.call(contract.createGrant, { body })).status).toBe(201)
  })
  it('commits nothing after either revocation, of 64 changes that run', async () => {
    for (const which of ['first', 'second', 'second', 'second'] as const) {
      const { owner, agency, person, host } = await chain()
      const changes = Array.from({ length: 64 }, (_, place) =>
        patchHost(person.api, host.id, { name: `name-${place}` }),
      )
      const ended =
        which === 'first'
          ? await untilAnswered(() => endGrant(owner, agency.grantId))
          : await untilAnswered(() => endGrant(agency, person.grantId))
      expect(ended.status).toBe(204)
      const { name } = bodyOf(await getHost(owner.api, host.id), 200)
      const statuses = (await Promise.all(changes)).map(({ status }): number => status)
      // A busy server refuses some of the changes with 503, and does not commit these either.
      expect(statuses.every((status) => [200, 404, 503].includes(status))).toBe(true)
      expect(bodyOf(await getHost(owner.api, host.id), 200).name).toBe(name)
    }
  })
})
