import * as z from 'zod/mini'
import { digitsOf, decimalText, toMoney } from '#foundation/money.ts'

/**
 * The currencies of Mollie that somebody can pay in by more than a transfer, with the smallest step of an amount in minor units. Source:
 * https://docs.mollie.com/docs/multicurrency, as of October 2026. PayPal has no fillér and no Taiwanese cents: Mollie would round them.
 */
const steps: Readonly<Record<string, bigint>> = {
  ...Object.fromEntries(
    'AED AUD BRL CAD CHF CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN RON SEK SGD THB USD ZAR'
      .split(' ')
      .map((code) => [code, 1n]),
  ),
  ISK: 1n,
  JPY: 1n,
  HUF: 100n,
  TWD: 100n,
}

/** An amount as Mollie writes it: `{ currency: 'EUR', value: '37.20' }`. */
export const mollieMoney = z.object({
  currency: z.string().check(z.regex(/^[A-Z]{3}$/)),
  value: z.string().check(z.maxLength(20)),
})
export type MollieMoney = z.infer<typeof mollieMoney>

/** Returns an amount in minor units as Mollie writes it; undefined if Mollie cannot charge it. */
export function toMollie(amount: bigint, currency: string): MollieMoney | undefined {
  const step = steps[currency]
  if (step === undefined || amount % step !== 0n) return undefined
  return { currency, value: decimalText(toMoney(amount, currency)) }
}

/** Returns Mollie's amount in minor units; undefined for text that is none, or that is finer than the currency: to round would lose money. */
export function fromMollie({ currency, value }: MollieMoney): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,3}))?$/.exec(value) ?? []
  const digits = steps[currency] === undefined ? fraction.length : digitsOf(currency)
  if (whole === undefined || fraction.length !== digits) return undefined
  return BigInt(whole + fraction)
}
