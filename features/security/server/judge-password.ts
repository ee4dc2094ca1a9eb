import type { passwordFaults } from '#foundation/fields.ts'
import { isCommonPassword } from './common-passwords.ts'

type PasswordFault = (typeof passwordFaults)[number]

/**
 * Checks a new password (row V-02). `personal` are the values it must not resemble: email, name, surname,
 * middle name; empty ones are skipped. `operatorName` is the most obvious guess at this site. Returns all
 * errors, in Django's order, at most one of each.
 */
export function judgePassword(
  password: string,
  personal: readonly string[],
  operatorName: string,
): PasswordFault[] {
  const faults: PasswordFault[] = []
  if (personal.some((value) => resembles(password, value))) faults.push('password_too_similar')
  if ([...password].length < 8) faults.push('password_too_short')
  if (isCommonPassword(password.trim().toLowerCase(), operatorName)) faults.push('password_too_common')
  if (onlyDigits.test(password)) faults.push('password_entirely_numeric')
  return faults
}

const mostSimilar = 0.7

/** True if a password resembles the whole value or one word of it, as Django's UserAttributeSimilarityValidator decides. */
function resembles(password: string, value: string): boolean {
  const letters = [...password.toLowerCase()]
  const whole = value.toLowerCase()
  return [...whole.split(/[^\p{L}\p{N}_]+/u), whole].some((part) => {
    const other = [...part]
    if (isTooShortToTell([...password].length, other.length)) return false
    return similarity(letters, other) >= mostSimilar
  })
}

// A word this short beside a password this long can never be similar enough.
const isTooShortToTell = (password: number, part: number) =>
  password >= 10 * part && part < (mostSimilar / 2) * password

/** Python's difflib `quick_ratio`: twice the letters in common, in any order, divided by all letters. */
function similarity(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const letter of b) left.set(letter, (left.get(letter) ?? 0) + 1)
  let common = 0
  for (const letter of a) {
    const count = left.get(letter) ?? 0
    if (count > 0) common += 1
    left.set(letter, count - 1)
  }
  return (2 * common) / (a.length + b.length)
}

// Digits as Python's str.isdigit sees them: the decimal digits of any script, and the raised, lowered, circled ones.
const onlyDigits =
  /^[\p{Nd}\u00b2\u00b3\u00b9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\u{10a40}-\u{10a43}\u{10e60}-\u{10e68}\u{11052}-\u{1105a}\u{1f100}-\u{1f10a}]+$/u
