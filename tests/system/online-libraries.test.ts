import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { check, release } from '#agent/online.mjs'
import { publishedKeys } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, asOwner, giveLicence } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { isInstalled, languages, runOnline } from '#tests/libraries/languages.ts'

const COMPILED_MS = 180_000
const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '100' } })
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-online-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A licence of one seat for ten minutes, of a host without an address: a program that runs anywhere. */
async function floating(): Promise<{ server: string; licence_key: string }> {
  const owner = await signedInCustomer(test)
  const host = await addHost(owner.api, {})
  await giveLicence(test, owner, host.id, 86_400_000)
  await asOwner(
    test,
    `update paid_periods set entitlements = '{"machines": 1, "lease_min": 10, "größe": 1}'
     where host_id = (select id from hosts where public_id = $1)`,
    [host.id],
  )
  return { server: test.url, licence_key: host.licence_key }
}
const licence = await floating()
const keys = await publishedKeys(test)
const question = (letter: string) => ({ ...licence, keys, fingerprint: letter.repeat(64) })
const [one, other] = [question('a'), question('b')]

describe('L-26 software that asks by a library takes a seat, extends it and gives it back', () => {
  it('JavaScript', async () => {
    const { code, lease } = await check({ ...one, requires: ['größe'] })
    expect([code, lease?.lasts_s, lease?.renew_in_s]).toEqual(['valid', 600, 300])
    expect((await check(other)).code).toBe('too_many_machines')
    expect([await release(one), (await check(other)).code]).toEqual([true, 'valid'])
    expect((await check({ ...other, keys: [] })).code).toBe('unknown_key')
    expect([await release(other), await release(other)]).toEqual([true, false])
    await expect(check({ ...one, server: `${test.url}/nowhere`, fingerprint: 'x' })).rejects.toThrow('400')
  })
  it.for(languages.filter(isInstalled))('$name', { timeout: COMPILED_MS }, async (language) => {
    const jwks = path.join(folder, 'jwks.json')
    writeFileSync(jwks, JSON.stringify({ keys }))
    const settings = { SERVER: test.url, LICENCE_KEY: licence.licence_key, JWKS: jwks }
    const lines = await runOnline(language, settings)
    expect(lines.map((line) => line.toLowerCase())).toEqual([
      'valid 600 300',
      'too_many_machines',
      'true valid',
      'unknown_key',
      'true false',
    ])
  })
})

describe('L-26 the online part of the library for JavaScript believes no answer', () => {
  /** Asks by way of somebody between the program and the installation, who changes answers. */
  const through = async (change: (answer: Record<string, unknown>) => object) => {
    const { fetch } = globalThis
    globalThis.fetch = async (...given) => {
      const answer = (await (await fetch(...given)).json()) as Record<string, unknown>
      return Response.json({ ...answer, ...change(answer) })
    }
    try {
      return await check(one)
    } finally {
      globalThis.fetch = fetch
    }
  }
  it('of another question, without a document, or that promises more than was signed', async () => {
    const { document } = await check(one)
    expect((await through(() => ({ document }))).code).toBe('unproven')
    expect(await through(() => ({ document: null }))).toMatchObject({ valid: false, lease: null })
    const { lease } = await through((answer) => ({
      lease: { ...(answer['lease'] as object), lasts_s: 86_400 },
    }))
    expect(lease?.lasts_s).toBeLessThanOrEqual(600)
    await release(one)
  })
})
