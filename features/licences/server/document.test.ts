import { compactVerify, createLocalJWKSet, importJWK, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { buildApp } from '#app/server/build-app.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { getDocument } from '#features/licences/contract.ts'
import { judgeLicence } from '#agent/licence.mjs'
import { judge, publishedKeys } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, giveLicence, refusal } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { licenceDocument } from './document.ts'
import { rotateKey, signingKey, keyNews, withdrawKey } from './signing-keys.ts'

const test = await startTestApp()
const { app } = test
const DAY_S = 86_400
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_S * 1000).toISOString()

const row = {
  public_id: 'AAAAAAAAAAAAAAAAAAAAAA',
  licence_key: 'ABCDE-FGHIJ-KLMNO-PQRST-UVWXY',
  ipv4: '203.0.113.7',
  ipv6: null,
  paid_until: new Date(Date.now() + 30 * DAY_S * 1000),
  documents_from_s: 0,
  suspended: null,
  now: new Date(),
  periods: [
    {
      plan: 'standard',
      edition: 'standard',
      entitlements: { seats: 5 },
      starts_at: daysFromNow(-1),
      ends_at: daysFromNow(30),
    },
  ],
}

describe('the document as a file', () => {
  it('is downloaded by the owner, named after the host, and licenses only the address of the host', async () => {
    const customer = await signedInCustomer(test)
    const { id } = await addHost(customer.api, { name: 'db-1', ipv4: '203.0.113.9' })
    await giveLicence(test, customer, id, 30 * DAY_S * 1000)
    const reply = await customer.api.get<string>(`/api/hosts/${id}/licence/document`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/jose')
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="licence-${id}.jws"`)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(await judge(test, reply.body, { ipv4: '203.0.113.9' })).toMatchObject({ verdict: 'valid' })
    expect(await judge(test, reply.body, { ipv4: '203.0.113.8' })).toMatchObject({ verdict: 'not_licensed' })
  })

  it("rule 4: another customer's document is answered as a missing one", async () => {
    const [owner, stranger] = [await signedInCustomer(test), await signedInCustomer(test)]
    const { id } = await addHost(owner.api, { name: 'mine' })
    for (const hostId of [id, 'A'.repeat(22), 'short']) {
      const reply = await stranger.api.call(getDocument, { params: { hostId } })
      expect(reply).toMatchObject({ status: 404, body: refusal(404, 'not_found') })
    }
  })
})

type Given = { paid_until: Date | null; spans: [plan: string, hours: number][] }

function periodsOf({ paid_until, spans }: Given) {
  if (!paid_until) return []
  let ends = paid_until.getTime()
  const periods = spans.map(([plan, hours]) => {
    const ends_at = new Date(ends).toISOString()
    ends -= hours * 3_600_000
    return {
      plan,
      edition: `${plan}-edition`,
      entitlements: { hours, 'team.chat': hours > 200, tier: plan },
      starts_at: new Date(ends).toISOString(),
      ends_at,
    }
  })
  const [first, ...others] = periods.toReversed()
  return first ? [{ ...first, starts_at: '2020-01-01T00:00:00.000Z' }, ...others] : []
}

const periodAt = (periods: ReturnType<typeof periodsOf>, at_ms: number) =>
  periods.findLast(({ starts_at }) => Date.parse(starts_at) <= at_ms)

describe('the signed content', () => {
  it('is verified by a standard JOSE library, and has a type of its own so that it passes for no other token', async () => {
    const document = await licenceDocument(app, row)
    const keys = (await publishedKeys(test)) as { kty: string; kid: string }[]
    const { payload, protectedHeader } = await jwtVerify(document, createLocalJWKSet({ keys }), {
      algorithms: ['EdDSA'],
      typ: 'hostdesk-licence+jwt',
      issuer: 'http://localhost:3000',
      subject: row.public_id,
    })
    expect(Object.keys(protectedHeader).toSorted()).toEqual(['alg', 'kid', 'typ'])
    expect(payload).toMatchObject({
      status: 'active',
      ipv4: row.ipv4,
      ipv6: row.ipv6,
      paid_until: row.paid_until.toISOString(),
    })
    await expect(compactVerify(document, await importJWK({ ...keys[0], kid: 'x' }))).resolves.toBeDefined()
  })

  it('is the same after decoding, and licenses exactly while it is paid and young (property)', async () => {
    const keys = await publishedKeys(test)
    const time = fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    const host = fc.record({
      public_id: fc.stringMatching(/^[\w-]{22}$/),
      licence_key: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      ipv4: fc.option(fc.ipV4()),
      ipv6: fc.constantFrom(null, '2001:db8::1', '2001:db8:0:1::/64'),
      // The runtime that ends at `paid_until`, the last part first: plan and hours.
      spans: fc.array(
        fc.tuple(fc.constantFrom('starter', 'business', 'größer'), fc.integer({ min: 1, max: 400 })),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      paid_until: fc.option(time),
      now: time,
    })
    const later_s = fc.integer({ min: 0, max: 12 * DAY_S })
    await fc.assert(
      fc.asyncProperty(host, later_s, async (given, after_s) => {
        const now = Math.floor(given.now.getTime() / 1000) + after_s
        const periods = periodsOf(given)
        const document = await licenceDocument(app, {
          ...given,
          documents_from_s: 0,
          suspended: null,
          periods,
        })
        const judgement = judgeLicence(document, {
          keys,
          ipv4: given.ipv4 === null ? 'any' : [given.ipv4],
          now,
        })
        const inForce = periodAt(periods, given.now.getTime())
        expect(judgement.claims).toMatchObject({
          sub: given.public_id,
          licence_key: given.licence_key,
          ipv4: given.ipv4,
          ipv6: given.ipv6,
          ver: 2,
          plan: inForce?.plan ?? null,
          edition: inForce?.edition ?? null,
          entitlements: inForce?.entitlements ?? {},
          paid_until: given.paid_until?.toISOString() ?? null,
        })
        const isPaid =
          given.paid_until !== null && given.paid_until > given.now && now * 1000 < given.paid_until.getTime()
        const verdict =
          !isPaid || after_s >= 10 * DAY_S ? 'not_licensed' : after_s < 7 * DAY_S ? 'valid' : 'in_grace'
        expect(judgement.verdict).toBe(verdict)
        // The document names the plan at the time of the check, also to a machine that has had no contact since.
        if (verdict === 'not_licensed') return
        const { plan, entitlements } = must(periodAt(periods, now * 1000))
        expect(judgement).toMatchObject({ plan, entitlements })
      }),
      { numRuns: 300 },
    )
  })
})

describe('the keys', () => {
  it('are published for caches, without their private halves', async () => {
    const reply = await test.api.get<{ keys: object[] }>('/.well-known/jwks.json')
    expect(reply.headers.get('cache-control')).toBe('public, max-age=300')
    expect(reply.body.keys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        use: 'sig',
        alg: 'EdDSA',
        kid: expect.any(String),
        x: expect.any(String),
      },
    ])
  })

  // Seen red while the processes did not wait for each other: all but one failed, because the table allows one signing key.
  it('are one, however many processes start a new installation at once', async () => {
    await transaction(app, 'system', async (tx) => void (await sql`delete from signing_keys`.execute(tx)))
    const { config, ownerUrl, log } = app
    const processes = await Promise.all(Array.from({ length: 8 }, () => buildApp(config, { ownerUrl, log })))
    const kids = await Promise.all(processes.map(async (one) => (await signingKey(one)).kid))
    await Promise.all(processes.map((one) => one.close()))
    expect(new Set(kids).size).toBe(1)
    expect((await publishedKeys(test)).map(({ kid }) => kid)).toEqual([kids[0]])
  })

  it('are sealed: without SECRET_KEY the database signs nothing', async () => {
    await rotateKey(app)
    const { rows } = await sql<{ private_key: string }>`
      select private_key from signing_keys where retired_at is null`.execute(app.db)
    expect(rows[0]?.private_key).toMatch(/^[0-9a-f]{8}\.[\w-]+$/)
  })

  it('rotate: documents signed with the old key stay genuine, and its private half is gone', async () => {
    const before = await licenceDocument(app, row)
    const kid = await rotateKey(app)
    const after = await licenceDocument(app, row)
    expect(JSON.parse(Buffer.from(must(after.split('.')[0]), 'base64url').toString())).toMatchObject({ kid })
    expect((await judge(test, before)).verdict).toBe('valid')
    expect((await judge(test, after)).verdict).toBe('valid')
    const { rows } = await sql<{ left: bigint }>`
      select count(*) as left from signing_keys where retired_at is not null and private_key is not null`.execute(
      app.db,
    )
    expect(rows[0]?.left).toBe(0n)
  })

  it('are published as long as documents of theirs count, and forgotten a day later', async () => {
    const { kid } = await signingKey(app)
    await rotateKey(app)
    const published = async () => (await publishedKeys(test)).some((key) => key.kid === kid)
    const retiredDaysAgo = (days: number) =>
      transaction(app, 'system', async (tx) => {
        await sql`update signing_keys set retired_at = now() - make_interval(days => ${days}) where kid = ${kid}`.execute(
          tx,
        )
      })
    await retiredDaysAgo(10)
    expect(await published()).toBe(true)
    await retiredDaysAgo(12)
    expect(await published()).toBe(false)
    await rotateKey(app)
    const { rows } = await sql`select kid from signing_keys where kid = ${kid}`.execute(app.db)
    expect(rows).toEqual([])
  })

  it('are withdrawn at once when they were stolen', async () => {
    const { kid } = await signingKey(app)
    const document = await licenceDocument(app, row)
    expect(await withdrawKey(app, kid)).toBe(true)
    expect(await withdrawKey(app, kid)).toBe(false)
    expect(await judge(test, document)).toMatchObject({ verdict: 'not_genuine' })
    expect((await judge(test, await licenceDocument(app, row))).verdict).toBe('valid')
    const { body } = await test.api.get<{ keys: { kid: string }[]; withdrawn: string[] }>(
      '/.well-known/jwks.json',
    )
    expect(body.withdrawn).toContain(kid)
    expect(body.keys.map((key) => key.kid)).not.toContain(kid)
    // Neither time nor a rotation removes it from the list.
    await sql`update signing_keys set retired_at = now() - interval '1 year' where kid = ${kid}`.execute(
      app.db,
    )
    await rotateKey(app)
    expect((await keyNews(app)).withdrawn_keys).toContain(kid)
  })

  it('are not guessed at where SECRET_KEY is another', async () => {
    await signingKey(app)
    const { config, ownerUrl, log } = app
    const stranger = await buildApp(config, { ownerUrl, log })
    const { deriveKeys } = await import('#foundation/server/keys.ts')
    const { Secret } = await import('#foundation/server/secret.ts')
    const other = { ...stranger, keys: deriveKeys(new Secret('another-key-of-this-installation-0123456789')) }
    await expect(signingKey(other)).rejects.toThrow('SECRET_KEY gives')
    await rotateKey(other)
    await expect(signingKey(other)).resolves.toBeDefined()
    await stranger.close()
  })
})
