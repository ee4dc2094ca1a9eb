import { expect, it } from 'vitest'
import { newSecret, stepsOf } from './one-time-codes.ts'

// The secret of RFC 6238, "12345678901234567890", in base32.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

it('knows the codes of RFC 6238, appendix B, at their times', () => {
  const known: [number, string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ]
  for (const [now_s, code] of known)
    expect(stepsOf(secret, code, { now_s, tolerance: 0 }), code).toEqual([BigInt(Math.floor(now_s / 30))])
})

it('takes the codes of RFC 4226, appendix D, as far from now as the tolerance goes', () => {
  const codes = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ')
  const steps = (tolerance: number) =>
    codes.flatMap((code) => stepsOf(secret, code, { now_s: 149, tolerance }))
  expect(steps(0)).toEqual([4n])
  expect(steps(1)).toEqual([3n, 4n, 5n])
  expect(steps(3)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n])
})

it('takes no code of another length, and makes secrets of 20 bytes', () => {
  for (const code of ['', '28708', '2870820', '94287082', 'abcdef'])
    expect(stepsOf(secret, code, { now_s: 59, tolerance: 1 })).toEqual([])
  expect(newSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newSecret()).not.toBe(newSecret())
})
