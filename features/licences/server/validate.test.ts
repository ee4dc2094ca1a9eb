import { describe, expect, it } from 'vitest'
import { deleteHost } from '#features/hosts/contract.ts'
import { renewLicenceKey } from '#features/hosts/key-contract.ts'
import { endFormerKeys } from '#features/hosts/server/keys.ts'
import { suspendHost, validateLicence } from '#features/licences/contract.ts'
import { listActivity } from '#features/security/contract.ts'
import { judgeLicence } from '#agent/licence.mjs'
import { must } from '#foundation/must.ts'
import { judge, publishedKeys } from '#tests/harness/agents.ts'
import { Client } from '#tests/harness/client.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf, giveLicence } from '#tests/harness/hosts.ts'
import { anyAddress, buyer, orderHost, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { signRevocations } from './revocations.ts'

const test = await startTestApp()
await stockShop(test)
const visitor = new Client(test.url)

type Asked = { ipv4?: string; entitlements?: string[]; nonce?: string; fingerprint?: string }
const ask = async (licence_key: string, asked: Asked = {}) =>
  bodyOf(await visitor.call(validateLicence, { body: { licence_key, ...asked } }), 200)

async function licensed() {
  const customer = await buyer(test, 100_000n)
  const { host } = bodyOf(await orderHost(customer, { ipv4: anyAddress() }), 201)
  return { ...customer, host, key: host.licence_key, ipv4: must(host.ipv4) }
}

const claimsOf = (document: string | null): Record<string, unknown> =>
  JSON.parse(Buffer.from(must(must(document).split('.')[1]), 'base64url').toString()) as Record<
    string,
    unknown
  >

describe('L-25 a licence key is renewed', () => {
  const [first, second] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string]
  const renew = ({ api }: Pick<Customer, 'api'>, hostId: string, at_once: boolean) =>
    api.call(renewLicenceKey, { params: { hostId }, body: { at_once } })
  const verdictOf = async (document: string | null) => {
    const revocations = await signedRevocations()
    return judgeLicence(must(document), { keys: await publishedKeys(test), ipv4: 'any', revocations }).verdict
  }
  const signedRevocations = async () => (await signRevocations(test.app)).list

  it('and the old one is answered for a day, for the machines that have it, with documents that end with it', async () => {
    const { host, key, ipv4, ...owner } = await licensed()
    const before = await ask(key, { ipv4, fingerprint: first })
    const renewed = bodyOf(await renew(owner, host.id, false), 200)
    expect(renewed.licence_key).not.toBe(key)
    const old = await ask(key, { ipv4, fingerprint: first })
    expect(old).toMatchObject({ valid: true, code: 'valid' })
    const { exp, grace_s, licence_key } = claimsOf(old.document)
    const day_s = Number(exp) - Date.now() / 1000
    expect([licence_key, grace_s, day_s > 86_300 && day_s <= 86_400]).toEqual([key, 0, true])
    // The attack is somebody who has kept the key and brings a machine of their own.
    expect((await ask(key, { fingerprint: second })).code).toBe('too_many_machines')
    const machines = 'select fingerprint from activations where user_id = $1'
    expect(await asOwner(test, machines, [owner.user_id])).toEqual([{ fingerprint: first }])
    const next = await ask(renewed.licence_key, { ipv4, fingerprint: first })
    expect(claimsOf(next.document)).toMatchObject({ licence_key: renewed.licence_key, sub: host.id })
    expect(await verdictOf(before.document)).toBe('valid')
    await asOwner(
      test,
      `with over as (update former_keys set ends_at = now() - interval '1 second' where licence_key = $1)
        update revocations set begins_at = now() - interval '1 second' where sub = $2 and reason = 'key'`,
      [key, host.id],
    )
    expect((await ask(key, { ipv4, fingerprint: first })).code).toBe('not_found')
    const seq = async () => (await signRevocations(test.app)).seq
    const number = await seq()
    await endFormerKeys(test.app)
    expect(await seq()).toBeGreaterThan(number)
    expect([await verdictOf(before.document), await verdictOf(next.document)]).toEqual([
      'not_licensed',
      'valid',
    ])
    const { items } = bodyOf(await owner.api.call(listActivity, { query: {} }), 200)
    expect(items.map(({ act }) => act)).toContain('host.key_renewed')
  })
  it('or at once, and then neither it nor a key of before counts, nor a document with them', async () => {
    const { host, key, ipv4, ...owner } = await licensed()
    const { document } = await ask(key, { ipv4 })
    const { licence_key } = bodyOf(await renew(owner, host.id, false), 200)
    bodyOf(await renew(owner, host.id, true), 200)
    expect([(await ask(key)).code, (await ask(licence_key)).code]).toEqual(['not_found', 'not_found'])
    expect(await verdictOf(document)).toBe('not_licensed')
  })
  it('five times a day, by nobody but the owner', async () => {
    const { host, ...owner } = await licensed()
    const other = await licensed()
    expect((await renew(other, host.id, true)).status).toBe(404)
    for (let time = 0; time < 5; time += 1) bodyOf(await renew(owner, host.id, true), 200)
    expect((await renew(owner, host.id, true)).status).toBe(429)
  })
})

describe('L-25 software asks whether a licence counts', () => {
  it('and hears what the key licenses, with a document for the machine that named its address', async () => {
    const { host, key, ipv4 } = await licensed()
    const nonce = 'asked-just-now'
    const { document, ...answer } = await ask(key, { ipv4, nonce })
    expect(answer).toEqual({
      valid: true,
      code: 'valid',
      edition: host.licence.edition,
      entitlements: host.licence.entitlements,
      paid_until: host.licence.paid_until,
      lease: null,
      nonce,
    })
    expect(claimsOf(document)).toMatchObject({ sub: host.id, nonce })
    expect(await judge(test, must(document), { ipv4 })).toMatchObject({ verdict: 'valid' })
  })

  it('and reads neither name nor owner nor address, which only the document bears', async () => {
    const { key, ipv4, host, email } = await licensed()
    const answers = [await ask(key), await ask(key, { ipv4: anyAddress() })]
    expect(answers.map(({ code, document }) => [code, document])).toEqual([
      ['valid', null],
      ['address_mismatch', null],
    ])
    for (const secret of [ipv4, host.id, host.name, email])
      expect(JSON.stringify(answers)).not.toContain(secret)
  })

  it('and whether the running period grants every entitlement that the software names', async () => {
    const { key, host } = await licensed()
    await asOwner(
      test,
      `update paid_periods set entitlements = '{"machines": 2, "backup": true, "sso": false, "none": 0, "region": "eu", "empty": ""}'
       where host_id = (select id from hosts where public_id = $1)`,
      [host.id],
    )
    const codeOf = async (...entitlements: string[]) => (await ask(key, { entitlements })).code
    expect(await codeOf('machines', 'backup', 'region')).toBe('valid')
    for (const missing of ['sso', 'none', 'empty', 'unheard_of', 'toString', '__proto__'])
      expect(await codeOf('backup', missing), missing).toBe('entitlement_missing')
  })

  it('free, ended and suspended licences do not count, each by its own code', async () => {
    const { key, ipv4, host, ...customer } = await licensed()
    const free = await addHost(customer.api, { ipv4: anyAddress() })
    expect(await ask(free.licence_key, { ipv4: must(free.ipv4) })).toMatchObject({
      valid: false,
      code: 'free',
      edition: null,
      paid_until: null,
    })
    const staff = await signedInStaff(test)
    const params = { hostId: host.id }
    await staff.api.call(suspendHost, { params, body: { reason: 'abuse', text: 'Spam.', note: 'Seen.' } })
    const suspended = await ask(key, { ipv4 })
    expect(suspended).toMatchObject({ valid: false, code: 'suspended' })
    expect(claimsOf(suspended.document)).toMatchObject({ status: 'suspended' })
    const other = await addHost(customer.api, {})
    await giveLicence(test, customer, other.id, 1000)
    await passTime(test, 1)
    expect(await ask(other.licence_key)).toMatchObject({ valid: false, code: 'expired' })
  })

  it('a key that nobody has, and one of a deleted server, are answered alike', async () => {
    const { key, host, api } = await licensed()
    await api.call(deleteHost, { params: { hostId: host.id }, query: { name: host.name } })
    const unknown = await ask('AAAAA-AAAAA-AAAAA-AAAAA-AAAAA')
    expect(unknown).toEqual({
      valid: false,
      code: 'not_found',
      edition: null,
      entitlements: {},
      paid_until: null,
      lease: null,
      document: null,
      nonce: null,
    })
    expect(await ask(key)).toEqual(unknown)
  })

  it('refuses more than fifty entitlements, what is no address, and an empty key', async () => {
    const { key: licence_key } = await licensed()
    const entitlements = Array.from({ length: 51 }, (_, place) => `e${place}`)
    for (const [field, body] of [
      ['entitlements', { licence_key, entitlements }],
      ['ipv4', { licence_key, ipv4: '300.1.1.1' }],
      ['licence_key', { licence_key: ' ' }],
      ['owner', { licence_key, owner: true }],
    ] as const)
      expect(await visitor.post('/api/licences/validate/', body)).toMatchObject({
        status: 400,
        body: { errors: [{ param: field }] },
      })
  })

  it('60 a minute for a key and 30 unknown keys for an address, then 429 with the time to wait', async () => {
    const { key } = await licensed()
    const send = (licence_key: string) => visitor.call(validateLicence, { body: { licence_key } })
    const statuses = async (most: number, keyOf: (place: number) => string) => {
      const found: number[] = []
      for (let place = 0; place < most; place += 1) found.push((await send(keyOf(place))).status)
      return found.lastIndexOf(200) + 1
    }
    expect(await statuses(61, () => key)).toBe(60)
    // Some of the 30 unknown keys were asked above.
    expect(await statuses(31, (place) => `NOBODY-${place}`)).toBeLessThanOrEqual(30)
    const refused = await send('NOBODY')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send((await licensed()).key)).status).toBe(200)
  })
})
