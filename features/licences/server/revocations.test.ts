import { randomBytes } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import { createLocalJWKSet, jwtVerify } from 'jose'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { buildApp } from '#app/server/build-app.ts'
import { bookRefund } from '#features/sales/server/book-refund.ts'
import { deleteHost } from '#features/hosts/contract.ts'
import { hostOf } from '#features/hosts/server/hosts.ts'
import { resumeHost, suspendHost } from '#features/licences/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { readRevocations } from '#agent/judge.mjs'
import { judgeLicence } from '#agent/licence.mjs'
import { checkIn, publishedKeys, tokenFor } from '#tests/harness/agents.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { addHost, bodyOf, patchHost } from '#tests/harness/hosts.ts'
import { anyAddress, buyer, orderHost, orderLicence, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { issuedAt, licenceDocument } from './document.ts'
import { dropRevocations } from './document-queries.ts'
import { signRevocations } from './revocations.ts'
import { signingKey, withdrawKey } from './signing-keys.ts'

const test = await startTestApp()
const { app } = test
await stockShop(test)
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const staff = await signedInStaff(test)
const AT = '/.well-known/licence-revocations'

const listNow = async () => (await signRevocations(app)).list
const readNow = async () => readRevocations(await listNow(), await publishedKeys(test))

async function licensed(): Promise<Customer & { hostId: string; paid_by: string }> {
  const customer = await buyer(test, 100_000n)
  const { host, transaction: paid } = bodyOf(await orderHost(customer, {}), 201)
  return { ...customer, hostId: host.id, paid_by: paid.id }
}
type Owned = Awaited<ReturnType<typeof licensed>>

/** The document as a check-in would get it, `later_s` from now. */
async function documentOf({ user_id, hostId }: Owned, later_s = 0) {
  const host = await hostOf(app.db, user_id, hostId)
  return licenceDocument(app, { ...host, now: new Date(host.now.getTime() + later_s * 1000) })
}
const judged = async (document: string, now_s = Date.now() / 1000) => {
  const [keys, revocations] = [await publishedKeys(test), await listNow()]
  return judgeLicence(document, { keys, ipv4: 'any', revocations, now: now_s }).verdict
}

const readdress = async ({ api, hostId }: Pick<Owned, 'api' | 'hostId'>) =>
  bodyOf(await patchHost(api, hostId, { ipv4: anyAddress() }), 200)

const acts: [string, (owned: Owned) => Promise<unknown>, boolean][] = [
  [
    'a suspension and its end',
    async ({ hostId }) => {
      const params = { hostId }
      bodyOf(await staff.api.call(suspendHost, { params, body: { reason: 'abuse', note: 'Report 17' } }), 201)
      bodyOf(await staff.api.call(resumeHost, { params, query: { note: 'Cleaned' } }), 200)
    },
    true,
  ],
  ['another address', readdress, true],
  [
    'a refund in full',
    ({ user_id, paid_by }) =>
      transaction(app, 'system', (tx) =>
        bookRefund(app, tx, { user_id, transaction_id: paid_by, amount: undefined, reason: 'by mistake' }),
      ),
    false,
  ],
  [
    'its deletion',
    ({ api, hostId }) => api.call(deleteHost, { params: { hostId }, query: { name: 'shop' } }),
    false,
  ],
]

it.each(acts)(
  'L-24 %s voids the documents of before on machines that ask nobody',
  async (_name, act, stays) => {
    const owned = await licensed()
    const before = await documentOf(owned)
    expect(await judged(before)).toBe('valid')
    await act(owned)
    expect(await judged(before)).toBe('not_licensed')
    // The revocation also covers documents that a check-in signed in the same second as the act.
    const { revoked } = await readNow()
    expect(revoked.filter(([sub]) => sub === owned.hostId)).toHaveLength(1)
    // Seen red: every document of the next two seconds was void from birth.
    if (!stays) return
    const after = bodyOf(await owned.api.get<string>(`/api/hosts/${owned.hostId}/licence/document`), 200)
    expect(await judged(after)).toBe('valid')
    await readdress(owned)
    expect(await judged(after)).toBe('not_licensed')
    expect(await judged(await documentOf(owned))).toBe('valid')
  },
)

it('L-24 a document of after a revocation counts and one of before does not, at each part of a second and in a row (property)', async () => {
  const voidBefore = async (at_ms: number, latest: number) =>
    Number(
      (await superuser.query('select void_before(to_timestamp($1), $2) as s', [at_ms / 1000, latest])).rows[0]
        .s,
    )
  const start_ms = Date.parse('2026-01-01')
  const clock_ms = fc.double({ min: 0, max: 3000, noNaN: true })
  // A clock that was set back, or the second of a revocation a moment ago.
  const latest_s = fc.integer({ min: -1, max: 60 })
  await fc.assert(
    fc.asyncProperty(clock_ms, latest_s, clock_ms, async (at_ms, latest, later_ms) => {
      const documents_from_s = start_ms / 1000 + latest
      const before = await voidBefore(start_ms + at_ms, documents_from_s)
      const issued = (ms: number, from_s: number) =>
        issuedAt({ now: new Date(start_ms + at_ms + ms), documents_from_s: from_s })
      expect(issued(later_ms, before)).toBeGreaterThanOrEqual(before)
      // The commit is on its way for up to a second.
      expect(issued(Math.min(later_ms, 999), documents_from_s)).toBeLessThan(before)
      // Not far ahead of the clock where no revocation came shortly before.
      expect(before).toBeLessThanOrEqual(Math.max((start_ms + at_ms) / 1000 + 2, documents_from_s + 1))
    }),
    {
      numRuns: 200,
      examples: [
        [0, -1, 0],
        [999.999, 0, 0],
        [1000, 3, 1000],
      ],
    },
  )
})

it('what takes nothing away voids nothing', async () => {
  const owned = await licensed()
  const free = await addHost(owned.api, { name: 'free', ipv4: anyAddress() })
  const before = await readNow()
  await orderLicence(owned, owned.hostId)
  await patchHost(owned.api, owned.hostId, { name: 'renamed' })
  await patchHost(owned.api, free.id, { ipv4: anyAddress() })
  expect(await readNow()).toEqual(before)
})

it('the list is signed, small, the same from each process, and answered by its ETag', async () => {
  const other = await buildApp(app.config, { ownerUrl: app.ownerUrl, log: app.log })
  expect(await signRevocations(other)).toEqual(await signRevocations(app))
  await other.close()
  const { payload } = await jwtVerify(
    await listNow(),
    createLocalJWKSet({ keys: (await publishedKeys(test)) as { kty: string }[] }),
    { typ: 'hostdesk-revocations+jwt', issuer: app.config.publicOrigin, algorithms: ['EdDSA'] },
  )
  expect(Object.keys(payload).toSorted()).toEqual(['exp', 'iat', 'iss', 'revoked', 'seq', 'withdrawn_keys'])
  expect(Number(payload.exp) - Number(payload.iat)).toBe(86_400)
  const first = await test.api.get<string>(AT)
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/jose'])
  expect(first.headers.get('cache-control')).toBe('public, max-age=300')
  const etag = first.headers.get('etag') ?? ''
  const again = await test.api.get<string>(AT, { headers: { 'if-none-match': etag } })
  expect([again.status, again.body]).toEqual([304, undefined])
})

it('its number rises with each change, agents hear of it, and a restored database goes on above it', async () => {
  const owned = await licensed()
  const before = await readNow()
  await readdress(owned)
  const after = await readNow()
  expect(after.seq).toBeGreaterThan(before.seq)
  const { kid } = await signingKey(app)
  expect(await withdrawKey(app, kid)).toBe(true)
  const listed = await readNow()
  expect(listed).toMatchObject({ seq: after.seq + 1, withdrawn_keys: [kid] })
  const told = bodyOf(await checkIn(test, await tokenFor(owned.api, owned.hostId)), 200)
  expect(told.revocations_seq).toBe(listed.seq)
  // The list is set to its state in an old backup.
  await superuser.query('delete from revocations')
  await superuser.query('update revocation_list set seq = 5')
  await readdress(owned)
  expect((await readNow()).seq).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000) - 60)
})

// Seen red: the list was kept for two seconds, and the agent came for it again half a minute later.
it('L-24 who is told a number by a check-in gets a list of this number or a higher one at once', async () => {
  const owned = await licensed()
  const token = await tokenFor(owned.api, owned.hostId)
  const fetched = async () => {
    const [, claims = ''] = (await test.api.get<string>(AT)).body.split('.')
    return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { seq: number }).seq
  }
  const before = await fetched()
  await readdress(owned)
  const { kid } = await signingKey(app)
  // With the withdrawal of a key the process forgets the number that it has remembered.
  await withdrawKey(app, kid)
  const { revocations_seq } = bodyOf(await checkIn(test, token), 200)
  expect(revocations_seq).toBeGreaterThan(before)
  expect(await fetched()).toBeGreaterThanOrEqual(revocations_seq)
})

it('acts at once each get a number of their own', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, licensed))
  await Promise.all(all.map(readdress))
  const { revoked } = await readNow()
  for (const { hostId } of all) expect(revoked.map(([sub]) => sub)).toContain(hostId)
})

it('10,000 entries are 300 kB compressed at most, and go when their documents have', async () => {
  const ids = Array.from({ length: 10_000 }, () => randomBytes(16).toString('base64url'))
  await superuser.query(
    `insert into revocations (seq, sub, before, reason, until)
     select n, sub, 1780000000 + n * 37, 'address', now() + interval '1 day' from unnest($1::text[]) with ordinality as u (sub, n)`,
    [ids],
  )
  const list = await listNow()
  expect(brotliCompressSync(list).length).toBeLessThan(300_000)
  const keys = await publishedKeys(test)
  expect(readRevocations(list, keys).revoked.length).toBeGreaterThanOrEqual(10_000)
  await superuser.query("update revocations set until = now() - interval '1 second'")
  expect((await readNow()).revoked).toEqual([])
  await transaction(app, 'system', dropRevocations)
  expect((await superuser.query('select 1 from revocations')).rows).toEqual([])
})
