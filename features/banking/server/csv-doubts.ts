import type { CsvForm } from '#features/banking/csv-profile.ts'
import type { Columns } from './csv-columns.ts'
import { dayIn } from './csv-day.ts'
import { directionIn, mentionsOut } from './csv-words.ts'

/** A payment as it was read, beside its cells. */
export type Seen = { cells: readonly string[]; amount: bigint }

/**
 * True if the direction of the money is not certain, although each amount was read: a column that the form does not name may say that some
 * of it went out. The attack is money that the operator paid, which is credited to the customer whom its text names.
 */
export function isDirectionDoubtful(
  seen: readonly Seen[],
  { names, places, unknown }: Columns,
  form: CsvForm,
): boolean {
  if (form.direction !== '' || form.debit !== '' || form.credit !== '' || form.sign === 'minus') return false
  if (directionIn(names[places.amount] ?? '') === 'out') return true
  const entered = seen.filter(({ amount }) => amount > 0n)
  const isOneWay = entered.length === seen.length
  return unknown.some((place) => {
    const valuesOf = (rows: readonly Seen[]) =>
      rows.map(({ cells }) => cells[place] ?? '').filter((value) => value !== '')
    const values = valuesOf(entered)
    if (values.every((value) => dayIn(value, form.date_form) !== undefined)) return false
    const isForDirection = valuesOf(seen).every((value) => directionIn(value) !== undefined)
    if (isForDirection && values.some((value) => directionIn(value) === 'out')) return true
    return isOneWay && mayTellDirection(values)
  })
}

/** True if a column of a file in which nothing goes out may be the one that says so: by its words, by its letters, or because it sorts the rows. */
function mayTellDirection(values: readonly string[]): boolean {
  if (values.some(mentionsOut)) return true
  const kinds = new Set(values)
  const isCode = values.every((value) => value.length <= 3 && !/^[A-Z]{3}$/.test(value))
  if (isCode && values.some((value) => directionIn(value) !== 'in')) return true
  const isSorting = kinds.size >= 2 && kinds.size <= 4 && values.length > kinds.size
  return (
    isSorting &&
    [...kinds].every(
      (kind) => kind.length <= 20 && /^[\p{L}\s.-]+$/u.test(kind) && directionIn(kind) !== 'in',
    )
  )
}
