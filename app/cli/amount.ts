import { digitsOf } from '#foundation/money.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'

/**
 * Reads '19.90' as 1990n. An amount is above zero and has at most as many digits behind the point as its currency.
 * Throws WrongUse for anything else.
 */
export function readAmount(given: string, currency: string): bigint {
  const digits = digitsOf(currency)
  const [, whole = '', part = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(given) ?? []
  const amount = BigInt(whole + part.padEnd(digits, '0'))
  if (whole === '' || part.length > digits || amount === 0n)
    throw new WrongUse(`'${given}' is no amount of ${currency}. Write it like 19.90.`)
  return amount
}
