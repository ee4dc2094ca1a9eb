import { dictionary } from '@zxcvbn-ts/language-common'

/**
 * Whether a password (lower-cased) is one of those that are tried first. The list is the ranked one of zxcvbn, from
 * public leaks: 49,000 entries, of which 18,000 are long enough to matter; it lacks rows of digits, which are added.
 */
export const isCommonPassword = (password: string): boolean => common.has(password)

const common = new Set([...dictionary['passwords-common'], ...rowsOfDigits()])

/** 11111111, 12345678, 87654321 and their like, from 3 to 12 digits. */
function* rowsOfDigits(): Generator<string> {
  const up = '12345678901234567890'
  const rows = [
    up,
    [...up].toReversed().join('').slice(1),
    '0123456789012',
    '9876543210987',
    ...Array.from('0123456789', (d) => d.repeat(12)),
  ]
  for (const row of rows) {
    for (let length = 3; length <= 12; length += 1) yield row.slice(0, length)
  }
  for (let first = 4; first < 9; first += 1)
    yield [...Array(first).keys()].map((step) => first - step).join('')
  yield '87654321'
  yield '987654321'
}
