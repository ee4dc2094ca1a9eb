import { digitsOf } from '#foundation/money.ts'
import { knownDigits } from '#foundation/currencies.ts'
import { WrongUse } from './failures.ts'
import { jsonIn } from './json.ts'
import type { Field } from './fields.ts'

/** Returns the value of a field as the API takes it. `typed` is what stood behind its option. Throws WrongUse. */
export function valueOf(field: Field, typed: string): unknown {
  if (field.isNullable && typed === 'null') return null
  if (field.isList)
    return typed
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map((item) => readers[field.kind](item, field))
  return readers[field.kind](typed, field)
}

const readers: Readonly<Record<Field['kind'], (typed: string, field: Field) => unknown>> = {
  text: (typed) => typed,
  integer(typed, field) {
    if (!/^-?\d{1,15}$/.test(typed)) throw wrong(field, typed, 'a whole number')
    return Number(typed)
  },
  boolean(typed, field) {
    if (!/^(yes|no|true|false)$/i.test(typed)) throw wrong(field, typed, 'yes or no')
    return /^(yes|true)$/i.test(typed)
  },
  money(typed, field) {
    const [, sign = '', whole = '', part = '', code = ''] =
      /^(-?)(\d{1,15})(?:[.,](\d{1,4}))?\s*([a-z]{3})$/i.exec(typed.trim()) ?? []
    const currency = code.toUpperCase()
    if (knownDigits(currency) === undefined) throw wrong(field, typed, 'an amount such as 19.90 EUR')
    const digits = digitsOf(currency)
    if (part.length > digits) throw wrong(field, typed, `an amount with ${digits} digits behind the point`)
    const amount = BigInt(`${whole}${part.padEnd(digits, '0')}`)
    return { amount: `${amount === 0n ? '' : sign}${amount}`, currency }
  },
  json(typed, field) {
    const value = jsonIn(typed)
    if (value === undefined) throw wrong(field, typed, 'JSON')
    return value
  },
}

const wrong = (field: Field, typed: string, wanted: string) =>
  new WrongUse(`${optionOf(field.name)} takes ${wanted}, and not '${typed}'.`)

/** Returns the option of a field: expected_total is --expected-total. */
export const optionOf = (name: string): string => `--${name.replaceAll('_', '-')}`

/** Returns what the help says behind the option of a field. */
export function helpOf({ kind, isList, isRequired, isNullable, choices, usual }: Field): string {
  const wanted = choices.length > 0 ? `one of ${choices.join(', ')}` : kinds[kind]
  const parts = [
    isList ? `several, with commas: ${wanted}` : wanted,
    ...(isNullable ? ['null for none'] : []),
    ...(usual === undefined ? [] : [`by default ${usual}`]),
    ...(isRequired ? ['required'] : []),
  ]
  return parts.filter(Boolean).join('; ')
}

const kinds: Readonly<Record<Field['kind'], string>> = {
  text: 'a text',
  integer: 'a whole number',
  boolean: 'yes or no',
  money: 'an amount such as "19.90 EUR"',
  json: 'JSON',
}
