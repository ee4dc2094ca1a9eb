import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
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
const server = createServer((request, response) => {
  const seen = request.headers['if-none-match']
  asked.push(seen)
  if (seen === `"${answer.length}"`) response.writeHead(304).end()
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
  rmSync(file, { force: true })
})

const { signal } = new AbortController()
const known = (newest: number) => ({ keys, newest, signal })

it('is fetched at the start, then only where the operator has a newer one', async () => {
  const keep = revocationsKeeper(source, file)
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

it('one that is older, or not genuine, does not take the place of the kept one', async () => {
  answer = list(9)
  await revocationsKeeper(source, file)(known(9))
  const good = answer
  answer = list(8)
  expect(await revocationsKeeper(source, file)(known(9))).toBe(good)
  answer = `${list(10).slice(0, -4)}AAAA`
  await expect(revocationsKeeper(source, file)(known(10))).rejects.toThrow('wrong_signature')
  expect(readFileSync(file, 'utf8')).toBe(good)
})

it('a broken file is replaced', async () => {
  writeFileSync(file, 'half a li')
  answer = list(3)
  expect(await revocationsKeeper(source, file)(known(3))).toBe(answer)
})
