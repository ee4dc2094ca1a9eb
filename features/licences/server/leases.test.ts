import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { getDocument, validateLicence } from '#features/licences/contract.ts'
import { listMachines, releaseMachine } from '#features/licences/machines.ts'
import { releaseSeat } from '#features/licences/seats.ts'
import { listActivity } from '#features/security/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { statementsOf } from '#tests/harness/account-events.ts'
import { checkIn, figures, judge, tokenFor } from '#tests/harness/agents.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, paidHost, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { extendLease } from './lease-queries.ts'
import { sweepMachines } from './machine-queries.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const visitor = test.client()
const DAY_MS = 86_400_000
const LEASE_S = 600

type Seats = Customer & { hostId: string; key: string; ipv4: string }

/** A host whose licence floats: so many seats, each for ten minutes. */
async function floating(machines: number): Promise<Seats> {
  const owner = await signedInCustomer(test)
  const host = await paidHost(test, owner, 30 * DAY_MS)
  const seats = { ...owner, hostId: host.id, key: host.licence_key, ipv4: must(host.ipv4) }
  await entitle(seats, { machines, lease_min: LEASE_S / 60 })
  return seats
}

const entitle = ({ hostId }: Seats, entitlements: object) =>
  asOwner(
    test,
    `update paid_periods set entitlements = $2 where host_id = (select id from hosts where public_id = $1)`,
    [hostId, JSON.stringify(entitlements)],
  )
/** Lets time pass for all leases of a host. */
const pass = ({ user_id }: Seats, seconds: number) =>
  asOwner(
    test,
    `update activations set leased_at = leased_at - make_interval(secs => $2), lease_until = lease_until - make_interval(secs => $2)
     where user_id = $1`,
    [user_id, seconds],
  )
const machine = (place: number) => place.toString(16).padStart(64, '0')
const ask = async ({ key, ipv4 }: Seats, fingerprint?: string, more: object = {}) =>
  bodyOf(
    await visitor.call(validateLicence, {
      body: {
        licence_key: key,
        ipv4,
        ...(fingerprint === undefined ? {} : { fingerprint }),
        ...more,
      },
    }),
    200,
  )
const codeOf = async (seats: Seats, fingerprint: string, more?: object) =>
  (await ask(seats, fingerprint, more)).code
const giveBack = async ({ key }: Seats, fingerprint: string) =>
  bodyOf(await visitor.call(releaseSeat, { body: { licence_key: key, fingerprint } }), 200).released
const seatsOf = async ({ api, hostId }: Seats) =>
  bodyOf(await api.call(listMachines, { params: { hostId } }), 200)
const free = ({ api, hostId }: Seats, machineId: string) =>
  api.call(releaseMachine, { params: { hostId, machineId } })

describe('L-27 a floating licence', () => {
  it('leases its seats: each machine hears until when and when to ask again, and its document ends with the lease', async () => {
    const seats = await floating(2)
    const { code, lease, document } = await ask(seats, machine(1), { hostname: 'desk-1' })
    expect(code).toBe('valid')
    const { until, renew_at, ...seconds } = must(lease)
    expect(seconds).toEqual({ lasts_s: LEASE_S, renew_in_s: LEASE_S / 2 })
    expect(Date.parse(until) - Date.parse(renew_at)).toBe((LEASE_S / 2) * 1000)
    const { verdict, claims } = await judge(test, must(document), { ipv4: seats.ipv4 })
    expect([verdict, claims?.machine, claims?.grace_s]).toEqual(['valid', machine(1), 0])
    expect(claims?.exp).toBe(Math.floor(Date.parse(until) / 1000))
    expect(await codeOf(seats, machine(2))).toBe('valid')
    const refused = await ask(seats, machine(3))
    expect([refused.code, refused.lease]).toEqual(['too_many_machines', null])
    expect(await judge(test, must(refused.document), { ipv4: seats.ipv4 })).toMatchObject({
      reason: 'too_many_machines',
    })
    expect(await seatsOf(seats)).toMatchObject({
      limit: 2,
      lease_s: LEASE_S,
      items: [{ hostname: 'desk-1', lease_until: until, is_over: false }, { hostname: null }],
    })
    // A machine that got no seat leaves nothing behind.
    expect(await asOwner(test, 'select from activations where user_id = $1', [seats.user_id])).toHaveLength(2)
  })

  it('has a seat again when one is given back, when its machine is silent, and when the customer frees it', async () => {
    const seats = await floating(1)
    expect(await codeOf(seats, machine(1))).toBe('valid')
    expect([await giveBack(seats, machine(2)), await giveBack(seats, machine(1))]).toEqual([false, true])
    expect(await giveBack(seats, machine(1))).toBe(false)
    expect(await codeOf(seats, machine(2))).toBe('valid')
    await pass(seats, LEASE_S - 5)
    expect([await codeOf(seats, machine(1)), await codeOf(seats, machine(2))]).toEqual([
      'too_many_machines',
      'valid',
    ])
    await pass(seats, LEASE_S - 5)
    expect(await codeOf(seats, machine(1))).toBe('too_many_machines')
    await pass(seats, 6)
    expect([await codeOf(seats, machine(1)), await codeOf(seats, machine(2))]).toEqual([
      'valid',
      'too_many_machines',
    ])
    const { id } = must((await seatsOf(seats)).items[0])
    expect((await free(seats, id)).status).toBe(204)
    expect((await free(seats, id)).status).toBe(404)
    expect([(await seatsOf(seats)).items, (await seatsOf(seats)).releases_left]).toEqual([[], 3])
    const { items } = bodyOf(await seats.api.call(listActivity, { query: {} }), 200)
    expect(items.map(({ act }) => act)).toContain('host.machine_released')
    expect([await codeOf(seats, machine(2)), await codeOf(seats, machine(1))]).toEqual([
      'valid',
      'too_many_machines',
    ])
    // The others' documents stay as they are: nothing was revoked.
    expect(await asOwner(test, 'select from revocations where sub = $1', [seats.hostId])).toEqual([])
  })

  it('gives its last seat to one of 50 machines that ask at once, and never more than it has', async () => {
    const seats = await floating(7)
    for (let place = 1; place <= 6; place += 1) expect(await codeOf(seats, machine(place))).toBe('valid')
    const many = Array.from({ length: 50 }, (_, place) => machine(100 + place))
    const codes = await Promise.all(many.map((fingerprint) => codeOf(seats, fingerprint)))
    expect(codes.filter((code) => code === 'valid')).toHaveLength(1)
    await pass(seats, LEASE_S + 1)
    const again = await Promise.all(many.map((fingerprint) => codeOf(seats, fingerprint)))
    expect(again.filter((code) => code === 'valid')).toHaveLength(7)
    expect((await seatsOf(seats)).items).toHaveLength(7)
  })

  it('does not give away a seat whose extension is on its way when the lease ends', async () => {
    const seats = await floating(1)
    await ask(seats, machine(1))
    await pass(seats, LEASE_S - 4)
    const { id } = must((await seatsOf(seats)).items[0])
    const asked = await transaction(test.app, 'system', async (tx) => {
      expect(await extendLease(tx, { id, hostname: null, lease_s: LEASE_S })).toBeDefined()
      // The end of the lease as others see it.
      await sql`select pg_sleep(4.1)`.execute(tx)
      return { code: codeOf(seats, machine(2)), waits: await isWaiting() }
    })
    expect([asked.waits, await asked.code, await codeOf(seats, machine(1))]).toEqual([
      true,
      'too_many_machines',
      'valid',
    ])
    // The other way round: a seat that ran out meanwhile is its successor's.
    await pass(seats, LEASE_S + 1)
    expect(await codeOf(seats, machine(2))).toBe('valid')
    await transaction(test.app, 'system', async (tx) => {
      expect(await extendLease(tx, { id, hostname: null, lease_s: LEASE_S })).toBeUndefined()
    })
  })

  // Each step is one that a machine or its owner may take; the model knows who must hold a seat.
  it('is exact over 200 steps of machines that come, go, fall silent and share their ids', async () => {
    const seats = await floating(3)
    const held = new Map<number, number>()
    let now_s = 0
    let seed = 20_261_129
    const random = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    for (let step = 0; step < 200; step += 1) {
      const place = 1 + random(8)
      for (const [other, until] of held) if (until <= now_s) held.delete(other)
      const act = random(10)
      if (act < 6) {
        const mayHold = held.has(place) || held.size < 3
        expect(await codeOf(seats, machine(place)), `step ${step}`).toBe(
          mayHold ? 'valid' : 'too_many_machines',
        )
        // Within a tenth of the lease it is not extended.
        if (mayHold && (held.get(place) ?? 0) - now_s <= LEASE_S * 0.9) held.set(place, now_s + LEASE_S)
      } else if (act < 8) expect(await giveBack(seats, machine(place))).toBe(held.delete(place))
      else {
        // Not near the bounds that depend on the milliseconds of this test.
        const seconds = 7 + 100 * random(3)
        await pass(seats, seconds)
        now_s += seconds
      }
    }
    expect((await seatsOf(seats)).items.length).toBe(
      [...held.values()].filter((until) => until > now_s).length,
    )
  })

  it('writes nothing within a tenth of the lease, and then one row without an entry in an index', async () => {
    const seats = await floating(1)
    await ask(seats, machine(1))
    const fresh = await statementsOf(() => ask(seats, machine(1)))
    expect(fresh.filter((text) => /^\s*(insert|update|delete)/i.test(text))).toEqual([])
    await pass(seats, LEASE_S / 2)
    const extending = await statementsOf(() => ask(seats, machine(1)))
    const writes = extending.filter((text) => /^\s*(insert|update|delete)/i.test(text))
    expect([writes.length, extending.some((text) => / hosts .*for update/.test(text))]).toEqual([1, false])
    await pass(seats, LEASE_S / 2)
    const { id } = must((await seatsOf(seats)).items[0])
    const entered = await transaction(test.app, 'system', async (tx) => {
      const inIndices = async () => {
        const { rows } = await sql<{ written: bigint }>`
          select n_tup_upd - n_tup_hot_upd as written from pg_stat_xact_user_tables where relname = 'activations'`.execute(
          tx,
        )
        return must(rows[0]).written
      }
      const before = await inIndices()
      for (let time = 0; time < 3; time += 1) await extendLease(tx, { id, hostname: null, lease_s: LEASE_S })
      return (await inIndices()) - before
    })
    expect(entered).toBe(0n)
  })

  it('is for machines that name themselves, and has no document for the time without a network', async () => {
    const seats = await floating(1)
    const { code, lease, document } = await ask(seats)
    expect([code, lease]).toEqual(['machine_unnamed', null])
    expect(await judge(test, must(document), { ipv4: seats.ipv4 })).toMatchObject({
      verdict: 'not_licensed',
    })
    const params = { hostId: seats.hostId }
    expect((await seats.api.call(getDocument, { params })).body).toMatchObject(refusal(409, 'licence_floats'))
    // Software that may not run takes no seat, and its document licenses none.
    const without = await ask(seats, machine(1), { entitlements: ['sso'] })
    expect(without.code).toBe('entitlement_missing')
    const { claims } = await judge(test, must(without.document), { ipv4: seats.ipv4 })
    expect(claims?.status).toBe('too_many_machines')
    expect((await seatsOf(seats)).items).toEqual([])
  })

  it('is held by the check-ins of an agent, which come twice in a lease', async () => {
    const seats = await floating(1)
    await entitle(seats, { lease_min: 1 })
    const token = await tokenFor(seats.api, seats.hostId)
    const seen = async (more: object) => bodyOf(await checkIn(test, token, { ...figures, ...more }), 200)
    const statusOf = async (more: object) => (await judge(test, (await seen(more)).licence)).claims?.status
    expect(await statusOf({})).toBe('too_many_machines')
    expect((await seen({ fingerprint: machine(1) })).interval_s).toBeLessThanOrEqual(30)
    expect([
      await statusOf({ fingerprint: machine(1) }),
      await statusOf({ fingerprint: machine(2) }),
    ]).toEqual(['active', 'too_many_machines'])
  })

  it('follows the plan: fewer seats, bound machines, and seats again', async () => {
    const seats = await floating(3)
    for (const place of [1, 2, 3]) await ask(seats, machine(place))
    await entitle(seats, { machines: 2, lease_min: 10 })
    await pass(seats, LEASE_S / 2)
    const all = async () => [
      await codeOf(seats, machine(1)),
      await codeOf(seats, machine(2)),
      await codeOf(seats, machine(3)),
    ]
    expect(await all()).toEqual(['valid', 'valid', 'too_many_machines'])
    await entitle(seats, {})
    expect(await codeOf(seats, machine(3))).toBe('valid')
    expect(await all()).toEqual(['too_many_machines', 'too_many_machines', 'valid'])
    await entitle(seats, { lease_min: 10 })
    expect(await all()).toEqual(['valid', 'too_many_machines', 'too_many_machines'])
    await pass(seats, 31 * 86_400)
    await asOwner(
      test,
      `update activations set last_seen = last_seen - interval '31 days' where user_id = $1`,
      [seats.user_id],
    )
    await transaction(test.app, 'system', sweepMachines)
    const left = 'select from activations where user_id = $1 and released_at is null'
    expect(await asOwner(test, left, [seats.user_id])).toEqual([])
  })

  it('keeps a seat over a restart, and tells clones apart by their boots', async () => {
    const seats = await floating(1)
    const [one, other] = ['d', 'e'].map((digit) => ({ boot: digit.repeat(64) })) as [object, object]
    expect(await codeOf(seats, machine(1), one)).toBe('valid')
    expect(await codeOf(seats, machine(1), other)).toBe('valid')
    expect(await codeOf(seats, machine(1), one)).toBe('valid')
    expect(await codeOf(seats, machine(1), other)).toBe('too_many_machines')
    expect((await seatsOf(seats)).items).toMatchObject([{ shares_id: true }])
  })
})

async function isWaiting(): Promise<boolean> {
  for (let tries = 0; tries < 500; tries += 1) {
    const waiting = await asOwner(
      test,
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%activations%' and datname = current_database()`,
    )
    if (waiting.length > 0) return true
  }
  return false
}
