import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keysKeeper } from './keys.mjs'
import { revocationsKeeper } from './revocations.mjs'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'ours' }]
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
function list(seq: number): string {
  const header = { alg: 'EdDSA', typ: 'hostdesk-revocations+jwt', kid: 'ours' }
  const signed = `${encode(header)}.${encode({ seq, iat: 1, exp: 2, revoked: [], withdrawn_keys: [] })}`
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

const folder = mkdtempSync(path.join(tmpdir(), 'revocations-'))
const file = path.join(folder, 'revocations.jws')
let answer = ''
let asked: (string | undefined)[] = []
let status = 200
const server = createServer((request, response) => {
  const seen = request.headers['if-none-match']
  asked.push(seen)
  if (status !== 200) response.writeHead(status).end()
  else if (seen === `"${answer.length}"`) response.writeHead(304).end()
  else response.writeHead(200, { etag: `"${answer.length}"` }).end(answer)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const source = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/list`)
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  asked = []
  status = 200
  rmSync(file, { force: true })
})

const { signal } = new AbortController()
const known = (newest: number) => ({ keys, newest, signal })

it('is fetched at the start, then only where the operator has a newer one', async () => {
  const { keep } = revocationsKeeper(source, file)
  answer = list(5)
  expect(await keep(known(5))).toBe(answer)
  expect(readFileSync(file, 'utf8')).toBe(answer)
  await keep(known(5))
  expect(asked).toHaveLength(1)
  const former = answer
  // The operator's word is up to ten seconds ahead of the list that a cache on the way holds.
  expect(await keep(known(6))).toBe(former)
  expect(asked).toEqual([undefined, `"${former.length}"`])
  answer = list(1000)
  expect(await keep(known(6))).toBe(answer)
})

it('an older list of revocations, or one with a wrong signature, does not replace the kept list', async () => {
  answer = list(9)
  await revocationsKeeper(source, file).keep(known(9))
  const good = answer
  answer = list(8)
  expect(await revocationsKeeper(source, file).keep(known(9))).toBe(good)
  answer = `${list(10).slice(0, -4)}AAAA`
  await expect(revocationsKeeper(source, file).keep(known(10))).rejects.toThrow('wrong_signature')
  expect(readFileSync(file, 'utf8')).toBe(good)
})

it('a broken file is replaced', async () => {
  writeFileSync(file, 'half a li')
  answer = list(3)
  expect(await revocationsKeeper(source, file).keep(known(3))).toBe(answer)
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** A clock that the test moves. */
function clock() {
  let now_ms = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now_ms)
  return { pass: (seconds: number) => void (now_ms += seconds * 1000) }
}

it('L-33 the list is asked for each 15 minutes by its ETag, also while no check-in names a number', async () => {
  const { pass } = clock()
  const { keep, dueAt_ms } = revocationsKeeper(source, file)
  const unheard = { keys, newest: undefined, signal }
  answer = list(5)
  expect(await keep(unheard)).toBe(answer)
  await keep(known(5))
  const former = answer
  pass(899)
  await keep(unheard)
  expect(asked).toHaveLength(1)
  pass(1)
  expect(dueAt_ms()).toBe(performance.now())
  await keep(unheard)
  expect(asked).toEqual([undefined, `"${former.length}"`])
  answer = list(2000)
  pass(900)
  expect(await keep(unheard)).toBe(answer)
  expect(readFileSync(file, 'utf8')).toBe(answer)
})

it('L-33 while nobody answers, the list is asked for once a minute, and counts on', async () => {
  const { pass } = clock()
  const { keep, dueAt_ms } = revocationsKeeper(source, file)
  answer = list(5)
  await keep(known(5))
  pass(900)
  status = 503
  await expect(keep(known(5))).rejects.toThrow('answered 503')
  expect(dueAt_ms()).toBe(performance.now() + 60_000)
  expect(await keep(known(5))).toBe(answer)
  expect(asked).toHaveLength(2)
  pass(60)
  status = 200
  expect(await keep(known(5))).toBe(answer)
  expect(dueAt_ms()).toBe(performance.now() + 900_000)
})

const jwks = path.join(folder, 'jwks.json')
const setOf = (...kids: string[]) => JSON.stringify({ keys: kids.map((kid) => ({ kid })), withdrawn: [] })
const kidsOf = (found: readonly { kid?: string | undefined }[]) => found.map(({ kid }) => kid)

it('L-33 keys are requested every 15 minutes by ETag; a key that is no longer listed is removed from the file', async () => {
  rmSync(jwks, { force: true })
  const { pass } = clock()
  const { keep } = keysKeeper(source, jwks)
  answer = setOf('old', 'new')
  expect(kidsOf(await keep({ kid: 'new', signal }))).toEqual(['old', 'new'])
  const former = answer
  answer = setOf('new')
  pass(899)
  expect(kidsOf(await keep({ kid: 'new', signal }))).toEqual(['old', 'new'])
  expect(asked).toHaveLength(1)
  pass(1)
  expect(kidsOf(await keep({ signal }))).toEqual(['new'])
  expect(readFileSync(jwks, 'utf8')).toBe(answer)
  expect(asked).toEqual([undefined, `"${former.length}"`])
  pass(900)
  expect(kidsOf(await keep({ signal }))).toEqual(['new'])
  expect(asked.at(-1)).toBe(`"${answer.length}"`)
})

it('L-33 keys are asked for at once where one is lacking or withdrawn; a withdrawn one is not believed, even if nobody answers', async () => {
  rmSync(jwks, { force: true })
  clock()
  const { keep } = keysKeeper(source, jwks)
  answer = setOf('one', 'two')
  await keep({ kid: 'one', signal })
  answer = setOf('one', 'two', 'three')
  expect(kidsOf(await keep({ kid: 'three', signal }))).toEqual(['one', 'two', 'three'])
  status = 503
  expect(kidsOf(await keep({ kid: 'one', withdrawn: ['two'], signal }))).toEqual(['one', 'three'])
  await expect(keep({ kid: 'four', signal })).rejects.toThrow('answered 503')
})
