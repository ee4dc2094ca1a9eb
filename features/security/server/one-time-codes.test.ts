import { randomBytes } from 'node:crypto'
import { HOTP, Secret } from 'otpauth'
import { expect, it } from 'vitest'
import { codeFor, fromBase32, toBase32 } from './one-time-codes.ts'

it('makes the codes of RFC 4226, appendix D', () => {
  const key = Buffer.from('12345678901234567890')
  expect(Array.from({ length: 10 }, (_, counter) => codeFor(key, BigInt(counter)))).toEqual([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ])
})

it('writes base32 as RFC 4648, section 10, has it', () => {
  const known = { '': '', f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB' }
  for (const [text, base32] of Object.entries(known)) {
    expect(toBase32(Buffer.from(text))).toBe(base32)
    expect(fromBase32(base32).toString()).toBe(text)
  }
  expect(() => fromBase32('M1')).toThrow('not base32')
})

it('equals the code of another library, for any secret and step', () => {
  for (let tries = 0; tries < 200; tries += 1) {
    const key = randomBytes(20)
    const counter = key.readUInt32BE()
    const other = new Secret({ buffer: new Uint8Array(key).buffer })
    expect(toBase32(key)).toBe(other.base32)
    expect(fromBase32(other.base32).equals(key)).toBe(true)
    expect(codeFor(key, BigInt(counter))).toBe(HOTP.generate({ secret: other, counter }))
  }
})
