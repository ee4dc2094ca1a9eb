import { execFile } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { nodes } from '#tests/harness/nodes.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-verify-'))
const [licence, keys, forged] = ['licence.jws', 'jwks.json', 'forged.jws'].map((name) =>
  path.join(folder, name),
) as [string, string, string]
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const iat = Date.parse('2026-03-01T12:00:00Z') / 1000
const claims = {
  ver: 2,
  iss: 'https://account.example.com',
  sub: 'AAAAAAAAAAAAAAAAAAAAAA',
  licence_key: 'ABCDE-FGHIJ',
  ipv4: '127.0.0.1',
  status: 'active',
  plan: 'standard',
  edition: 'standard',
  entitlements: {},
  next: [] as object[],
  paid_until: '2026-04-01T12:00:00.000Z',
  iat,
  exp: iat + 604_800,
  grace_s: 259_200,
}
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = `${encode({ alg: 'EdDSA', typ: 'hostdesk-licence+jwt', kid: 'k1' })}.${encode(claims)}`
const document = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] })
writeFileSync(licence, `${document}\n`)
writeFileSync(keys, jwks)
writeFileSync(
  forged,
  document.replace(/\.(.)/, (_, first: string) => (first === 'e' ? '.f' : '.e')),
)

let asked = 0
const server = createServer((request, response) => {
  asked += 1
  if (request.url === '/away') response.writeHead(302, { location: '/jwks.json' }).end()
  else response.end(jwks)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const now = ['--now', '2026-03-02T00:00:00Z']

describe.each(nodes)('verify.mjs on $name', ({ command }) => {
  const verify = (...given: string[]) =>
    new Promise<{ code: number; said: string }>((resolve) => {
      const child = execFile(command, ['agent/verify.mjs', ...given], (_error, out, complaint) =>
        resolve({ code: child.exitCode ?? -1, said: `${out}${complaint}`.trim() }),
      )
    })

  it('prints in one line whether this machine is licensed, and ends accordingly', async () => {
    const at = (time: string) => verify(licence, '--keys', keys, '--ipv4', '127.0.0.1', '--now', time)
    expect(await verify(licence, '--keys', keys, '--ipv4', '127.0.0.1', ...now)).toEqual({
      code: 0,
      said: 'valid: Valid until 2026-03-08T12:00:00Z.',
    })
    expect(await at('2026-03-10T00:00:00Z')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^in grace: /),
    })
    expect(await at('2026-03-12T00:00:00Z')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^not licensed: /),
    })
    expect(await at('2026-05-01T00:00:00Z')).toEqual({
      code: 1,
      said: 'not licensed: The licence ended at 2026-04-01T12:00:00.000Z.',
    })
    expect(await verify(forged, '--keys', keys, '--ipv4', 'any', ...now)).toEqual({
      code: 2,
      said: 'not genuine: Its signature is wrong: it was changed, or somebody else has written it.',
    })
  })

  it("knows this machine's own addresses", async () => {
    expect((await verify(licence, '--keys', keys, '--ipv4', 'own', ...now)).code).toBe(0)
    expect((await verify(licence, '--keys', keys, '--ipv4', '203.0.113.9', ...now)).code).toBe(1)
    expect((await verify(licence, '--keys', keys, '--ipv6', 'own', ...now)).code).toBe(0)
  })

  it('L-32 judges by the IPv6 of the machine, one of both where both are given', async () => {
    const file = path.join(folder, 'six.jws')
    const six = { ...claims, ipv4: null, ipv6: '2001:db8:0:1::/64' }
    const text = `${encode({ alg: 'EdDSA', typ: 'hostdesk-licence+jwt', kid: 'k1' })}.${encode(six)}`
    writeFileSync(file, `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`)
    const by = (...given: string[]) => verify(file, '--keys', keys, ...given, ...now)
    expect((await by('--ipv6', '2001:DB8:0:1::7')).code).toBe(0)
    expect((await by('--ipv4', '203.0.113.9', '--ipv6', '2001:db8:0:1::7')).code).toBe(0)
    expect((await by('--ipv6', 'any')).code).toBe(0)
    expect(await by('--ipv6', '2001:db8:0:2::7')).toEqual({
      code: 1,
      said: 'not licensed: It is for the address 2001:db8:0:1::/64, not for 2001:db8:0:2::7.',
    })
  })

  it('prints the claims as JSON', async () => {
    const { said } = await verify(licence, '--keys', keys, '--ipv4', 'any', '--json', ...now)
    expect(JSON.parse(said)).toMatchObject({ verdict: 'valid', claims })
  })

  it('fetches the keys once, and afterwards needs no network', async () => {
    const cache = path.join(folder, `cache-${path.basename(command)}-${Math.random()}.json`)
    const withCache = () => verify(licence, '--keys', address, '--cache', cache, '--ipv4', 'any', ...now)
    asked = 0
    expect([(await withCache()).code, (await withCache()).code, asked]).toEqual([0, 0, 1])
    expect(statSync(cache).mode & 0o777).toBe(0o644)
    expect(readFileSync(cache, 'utf8')).toBe(jwks)
    writeFileSync(cache, '{"keys": [{"kid": "older"}]}')
    expect([(await withCache()).code, asked]).toEqual([0, 2])
    // A day later the keys are fetched again, since one may have been withdrawn; if no server answers, the kept keys are used.
    const yesterday = new Date(Date.now() - 90_000_000)
    utimesSync(cache, yesterday, yesterday)
    expect([(await withCache()).code, asked]).toEqual([0, 3])
    utimesSync(cache, yesterday, yesterday)
    const nobody = ['--keys', 'http://127.0.0.1:1/jwks.json', '--cache', cache]
    expect((await verify(licence, ...nobody, '--ipv4', 'any', ...now)).code).toBe(0)
  })

  // A list that only left a withdrawn key out was not enough: programs with an older list went on to believe the key.
  it('believes no key that the list names as withdrawn, also where it still holds it', async () => {
    const list = path.join(folder, 'withdrawn.json')
    writeFileSync(list, JSON.stringify({ ...(JSON.parse(jwks) as object), withdrawn: ['k1'] }))
    expect(await verify(licence, '--keys', list, '--ipv4', 'any', ...now)).toEqual({
      code: 2,
      said: expect.stringMatching(/^not genuine: It is signed with a key that the operator has withdrawn/),
    })
  })

  it('names the plan in force at the given time when the document holds two plans', async () => {
    const file = path.join(folder, 'two-plans.jws')
    const next = [{ plan: 'business', edition: 'business', entitlements: {}, from: '2026-03-05T00:00:00Z' }]
    const text = `${encode({ alg: 'EdDSA', typ: 'hostdesk-licence+jwt', kid: 'k1' })}.${encode({ ...claims, next })}`
    writeFileSync(file, `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`)
    const planAt = async (time: string) => {
      const { said } = await verify(file, '--keys', keys, '--ipv4', 'any', '--json', '--now', time)
      return (JSON.parse(said) as { plan: string }).plan
    }
    expect(await planAt('2026-03-04T23:59:59Z')).toBe('standard')
    expect(await planAt('2026-03-05T00:00:00Z')).toBe('business')
  })

  it('exits with 64 and a message when an argument, a file or the keys are missing or unusable', async () => {
    for (const given of [
      [],
      [licence],
      [licence, '--keys', keys],
      [path.join(folder, 'none.jws'), '--keys', keys, '--ipv4', 'any'],
      [licence, '--keys', licence, '--ipv4', 'any'],
      [licence, '--keys', keys, '--ipv4', 'any', '--now', 'yesterday'],
      [licence, '--keys', 'http://192.0.2.1/jwks.json', '--ipv4', 'any'],
      [licence, '--keys', address.replace('jwks.json', 'away'), '--ipv4', 'any'],
      [licence, '--unheard-of'],
    ]) {
      const { code, said } = await verify(...given)
      expect([code, said !== ''], given.join(' ')).toEqual([64, true])
    }
    expect(existsSync(path.join(folder, 'none.jws'))).toBe(false)
  })
})
