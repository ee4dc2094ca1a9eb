import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { deleteHost, getMetrics } from '#features/hosts/contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import { checkIn, figures, judge, tokenFor } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, getHost, giveLicence, patchHost, refusal } from '#tests/harness/hosts.ts'
import { releasedCheckIn } from '#tests/harness/released-check-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp()
const DAY_MS = 86_400_000

async function hostWithAgent(
  ipv4 = `198.18.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`,
) {
  const customer = await signedInCustomer(test)
  const host = await addHost(customer.api, { name: 'web-1', ipv4 })
  return { customer, host, api: customer.api, ipv4, token: await tokenFor(customer.api, host.id) }
}

const unknown = refusal(401, 'not_authenticated')

describe('H-01: a check-in', () => {
  it('connects the host and shows the metrics of its agent', async () => {
    const { api, host, token } = await hostWithAgent()
    expect(host).toMatchObject({ connected: false, last_seen_at: null, agent: null })
    const told = bodyOf(await checkIn(test, token), 200)
    expect(told).toEqual({
      interval_s: 30,
      licence: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{86}$/),
      withdrawn_keys: [],
      revocations_seq: expect.any(Number),
    })
    expect(bodyOf(await getHost(api, host.id), 200)).toMatchObject({
      connected: true,
      last_seen_at: expect.any(String),
      agent: { version: '0.1.0', hostname: 'web-1', uptime_s: 4711, address: '127.0.0.1' },
    })
    const metrics = bodyOf(
      await api.call(getMetrics, { params: { hostId: host.id }, query: { hours: '1' } }),
      200,
    )
    expect(metrics.load_1m.findLast((value) => value !== null)).toBeCloseTo(0.42)
    expect(metrics.memory_used_bytes).toContain(2_000_000_000)
    expect(metrics.disk_total_bytes).toContain(100_000_000_000)
  })

  it('of an agent of the last release is taken, and answered with all that it needs', async () => {
    const { api, host, token } = await hostWithAgent()
    const { needs, answers } = releasedCheckIn()
    expect(Object.keys(figures).toSorted()).toEqual(needs.toSorted())
    const told = bodyOf(await checkIn(test, token, figures), 200)
    expect(Object.keys(told)).toEqual(expect.arrayContaining(answers))
    expect(bodyOf(await getHost(api, host.id), 200).connected).toBe(true)
  })

  it("from another address than the host's is flagged and not refused, for a NAT does that too", async () => {
    const { api, host, token } = await hostWithAgent('203.0.113.7')
    expect((await checkIn(test, token)).status).toBe(200)
    expect(bodyOf(await getHost(api, host.id), 200).address_mismatch).toBe(true)
    await patchHost(api, host.id, { ipv4: '127.0.0.1' })
    expect(bodyOf(await getHost(api, host.id), 200).address_mismatch).toBe(false)
  })

  it('needs the token of now: a renewed one voids the old', async () => {
    const { api, host, token } = await hostWithAgent()
    const renewed = await tokenFor(api, host.id)
    expect((await checkIn(test, token)).body).toEqual(unknown)
    expect((await checkIn(test, renewed)).status).toBe(200)
  })

  it('is refused for a deleted host and a closed account', async () => {
    const one = await hostWithAgent()
    const other = await hostWithAgent()
    await one.api.call(deleteHost, { params: { hostId: one.host.id }, query: { name: 'web-1' } })
    expect((await other.api.call(deactivate, { body: {} })).status).toBe(204)
    for (const { token } of [one, other]) expect((await checkIn(test, token)).body).toEqual(unknown)
  })

  // Seen red with a policy that let in any signed-in user: a customer's token got as far as the handler, and a 500.
  it("rule 1: an agent's token opens nothing else, a customer's token opens no check-in", async () => {
    const { api, host, token } = await hostWithAgent()
    const asCustomer = test.client()
    asCustomer.access_token = token
    expect((await getHost(asCustomer, host.id)).body).toEqual(unknown)
    expect((await checkIn(test, must(api.access_token))).body).toEqual(unknown)
    const bySession = await api.post('/api/agent/check-in/', figures)
    expect(bySession.body).toEqual(unknown)
    for (const wrong of [`${token}x`, 'hda_', token.slice(4), token.toUpperCase()])
      expect((await checkIn(test, wrong)).body).toEqual(unknown)
  })

  it.each<[string, object]>([
    ['nothing', {}],
    ['a negative load', { ...figures, load_1m: -0.1 }],
    ['an endless load', { ...figures, load_1m: 1e9 }],
    ['a load as text', { ...figures, load_1m: '0.4' }],
    ['half a byte', { ...figures, disk_used_bytes: 0.5 }],
    ['more memory used than there is', { ...figures, memory_used_bytes: 9_000_000_000 }],
    [
      'another disk with more used than there is',
      { ...figures, disks: [{ mount: '/srv', used_bytes: 2, total_bytes: 1 }] },
    ],
    [
      'a mount that turns the line',
      { ...figures, disks: [{ mount: '/\u202Esrv', used_bytes: 1, total_bytes: 2 }] },
    ],
    [
      'more disks than a machine has',
      {
        ...figures,
        disks: Array.from({ length: 33 }, () => ({ mount: '/s', used_bytes: 1, total_bytes: 2 })),
      },
    ],
    ['more disk used than there is', { ...figures, disk_used_bytes: 100_000_000_001 }],
    ['more bytes than there are numbers', { ...figures, memory_total_bytes: 2 ** 60 }],
    ['an empty name', { ...figures, hostname: '' }],
    ['an endless name', { ...figures, hostname: 'x'.repeat(254) }],
    ['a text that no database keeps', { ...figures, version: 'a\0b' }],
    ['another host', { ...figures, host_id: '1' }],
  ])('rule 22: refuses %s, and the host stays as it was', async (_name, body) => {
    const { api, host, token } = await hostWithAgent()
    expect((await checkIn(test, token, body)).status).toBe(400)
    expect(bodyOf(await getHost(api, host.id), 200).connected).toBe(false)
  })

  it('takes the smallest and the largest figures there are', async () => {
    const { token } = await hostWithAgent()
    const most = Number.MAX_SAFE_INTEGER
    const bytes = {
      memory_used_bytes: most,
      memory_total_bytes: most,
      disk_used_bytes: 0,
      disk_total_bytes: 0,
    }
    expect((await checkIn(test, token, { ...figures, ...bytes, load_1m: 5e-324, uptime_s: 0 })).status).toBe(
      200,
    )
    expect((await checkIn(test, token, { ...figures, load_1m: 1_000_000, uptime_s: most })).status).toBe(200)
  })

  it('rule 33: more than twenty in ten seconds are sent away, for this host alone', async () => {
    const [flooding, patient] = [await hostWithAgent(), await hostWithAgent()]
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await checkIn(test, flooding.token)).status),
    )
    // Another window of ten seconds may begin meanwhile.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(40)
    const refused = await checkIn(test, flooding.token)
    if (statuses.filter((status) => status === 200).length === 20) {
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await checkIn(test, patient.token)).status).toBe(200)
  })

  it('many at once get each their own licence', async () => {
    const agents = await Promise.all(Array.from({ length: 40 }, () => hostWithAgent()))
    const told = await Promise.all(agents.map(({ token }) => checkIn(test, token)))
    for (const [place, reply] of told.entries()) {
      const { claims } = await judge(test, bodyOf(reply, 200).licence)
      expect(claims).toMatchObject({ sub: agents[place]?.host.id, ipv4: agents[place]?.ipv4 })
    }
  })
})

describe('the licence that a check-in brings', () => {
  it('reports at once what has changed: paid, another address, ended', async () => {
    const { customer, host, api, ipv4, token } = await hostWithAgent()
    const licence = async () => judge(test, bodyOf(await checkIn(test, token), 200).licence)
    expect(await licence()).toMatchObject({ verdict: 'not_licensed', claims: { status: 'free', plan: null } })

    await giveLicence(test, customer, host.id, 30 * DAY_MS)
    const { verdict, claims } = await licence()
    expect(verdict).toBe('valid')
    expect(claims).toMatchObject({
      iss: 'http://localhost:3000',
      sub: host.id,
      licence_key: host.licence_key,
      ipv4,
      status: 'active',
      plan: 'standard',
      grace_s: 72 * 3600,
    })
    expect(must(claims).exp - must(claims).iat).toBe(7 * 86_400)

    await patchHost(api, host.id, { ipv4: '198.51.100.9' })
    expect((await licence()).claims).toMatchObject({ ipv4: '198.51.100.9', status: 'active' })

    await giveLicence(test, customer, host.id, 4_000)
    const ending = await licence()
    expect(ending.verdict).toBe('valid')
    await sleep(Date.parse(must(must(ending.claims).paid_until)) - Date.now() + 100)
    expect(await licence()).toMatchObject({ verdict: 'not_licensed', claims: { status: 'expired' } })
    // The previous document contains the end, so a machine gains nothing if the new one is withheld from it.
    expect(must(ending.claims).paid_until).toBe(bodyOf(await getHost(api, host.id), 200).licence.paid_until)
  })
})
