import type { Route } from '#foundation/contract.ts'
import { takesMoney } from '#foundation/money-given.ts'
import type { FieldError } from './http-error.ts'

/** Returns the names of the fields of a body that take money. */
export function moneyFields(body: Route['body']): string[] {
  const shape = body && 'shape' in body && typeof body.shape === 'object' ? body.shape : {}
  return Object.entries(shape ?? {})
    .filter(([, field]) => takesMoney(field))
    .map(([name]) => name)
}

/**
 * Returns a refusal for each amount of a body that is in another currency than the installation's: 1,000 yen are no 1,000 cents, and a
 * program that believes so must not order.
 */
export function wrongCurrencies(
  contract: Route,
  body: Readonly<Record<string, unknown>>,
  own: string,
): FieldError[] {
  return moneyFields(contract.body).flatMap((name) => {
    const given = body[name]
    const currency: unknown =
      typeof given === 'object' && given !== null ? Reflect.get(given, 'currency') : undefined
    const isOther = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && currency !== own
    return isOther ? [{ code: 'wrong_currency', param: `${name}.currency` }] : []
  })
}
