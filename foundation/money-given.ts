import * as z from 'zod/mini'
import { money, type Money } from './money.ts'
import { printed, shown } from './printed.ts'

/** ISO 4217's code for no currency. It stands for that of an amount that came as a bare string. */
const NO_CURRENCY = 'XXX'

/**
 * An amount above 0 in a request, in the shape that answers have, `{amount, currency}`. A handler gets its minor units as a decimal
 * string. The currency is judged before any handler (foundation/server/http/given-currency.ts). A bare string of minor units is still
 * read; it is deprecated, and the API document shows it no more.
 */
export function moneyGiven(most = 15) {
  const digits = new RegExp(`^[1-9]\\d{0,${most - 1}}$`)
  const both = z.strictObject({
    amount: z.string().check(z.regex(digits, 'invalid')),
    currency: z.string().check(z.regex(/^[A-Z]{3}$/, 'invalid')),
  })
  const read = z.transform((given: Money | string, context) => {
    if (typeof given !== 'string') return given
    if (!digits.test(given)) context.issues.push({ code: 'custom', message: 'invalid', input: given })
    return { amount: given, currency: NO_CURRENCY }
  })
  // A transformation counts as optional for zod; whoever leaves this field out is to be told so.
  read._zod.optin = undefined
  const schema = shown(
    z.pipe(
      z.pipe(read, both),
      z.transform(({ amount }) => amount),
    ),
    { as: printed.get(money)?.id ?? '' },
  )
  known.add(schema)
  return schema
}

const known = new WeakSet<object>()

/** True for a field that takes money, also where it is optional or may be null. */
export function takesMoney(field: unknown): boolean {
  if (typeof field !== 'object' || field === null) return false
  const inner: unknown = Reflect.get(Object(Reflect.get(field, 'def')), 'innerType')
  return known.has(field) || (inner !== undefined && takesMoney(inner))
}
