import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deriveKeys, hashToken, randomToken, seal, unseal } from './keys.ts'
import { Secret } from './secret.ts'

const keys = deriveKeys(new Secret('a key that is only used in this test, 0123456789'))

it('rule 15: what is sealed comes back whole, and only with its key and context (property)', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (text, context, other) => {
      const sealed = seal(keys, text, context)
      expect(unseal(keys, sealed, context)).toBe(text)
      if (other !== context) expect(() => unseal(keys, sealed, other)).toThrow()
    }),
  )
})

it('rule 15: a sealed text that was changed, or sealed by another key, does not open', () => {
  const sealed = seal(keys, 'JBSWY3DPEHPK3PXP', 'totp:1')
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
  expect(() => unseal(keys, changed, 'totp:1')).toThrow()
  const other = deriveKeys(new Secret('another key that is only used in this test, 0123'))
  expect(() => unseal(other, sealed, 'totp:1')).toThrow('SECRET_KEY')
  expect(seal(keys, 'same', 'c')).not.toBe(seal(keys, 'same', 'c'))
})

it('rule 15: tokens have 256 bits, and each purpose a key of its own', () => {
  expect(Buffer.from(randomToken(), 'base64url')).toHaveLength(32)
  expect(hashToken('a')).toHaveLength(32)
  expect(keys.tokens.export().equals(Buffer.from(keys.box))).toBe(false)
})
