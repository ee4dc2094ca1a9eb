import * as z from 'zod/mini'

/**
 * An amount in JSON: whole minor units (cents) as a decimal string, because a JSON number is a float, and an ISO 4217 code.
 * In programs it is a `bigint` of minor units; no float ever holds one (rule 6).
 */
export const money = z.strictObject({
  amount: z.string().check(z.regex(/^-?(?:0|[1-9]\d{0,17})$/, 'invalid')),
  currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'invalid')),
})
export type Money = z.infer<typeof money>

export const toMoney = (amount: bigint, currency: string): Money => ({ amount: amount.toString(), currency })

export const amountOf = ({ amount }: Money): bigint => BigInt(amount)

/**
 * The VAT on a net amount, rounded half up once; of a negative amount half away from zero, so that a credit note takes back
 * exactly what its invoice asked for. `rate_bp` is in basis points: 1900n is 19 %.
 */
export function vatOf(net: bigint, rate_bp: bigint): bigint {
  const sign = net < 0n ? -1n : 1n
  return (sign * (sign * net * rate_bp + 5_000n)) / 10_000n
}
