import { digitsOf } from '#foundation/money.ts'
import type { CsvColumn, CsvForm } from '#features/banking/csv-profile.ts'
import type { OddReason } from '#features/banking/rules.ts'
import { cut, plain } from './bank-text.ts'
import type { Own } from './camt-statement.ts'
import { amountIn, type CellAmount } from './csv-amount.ts'
import { currencyIn, type Columns } from './csv-columns.ts'
import { dayIn } from './csv-day.ts'
import { directionIn, isTotal, stateIn } from './csv-words.ts'
import type { StatementLine } from './statement.ts'

type Line = Omit<StatementLine, 'place'>
/** 'nothing' is a line that is no payment, such as a balance at the end. */
type ReadRow = { line: Line } | { odd: OddReason } | 'pending' | 'nothing'
type Table = { columns: Columns; form: CsvForm; own: Own }

/**
 * Reads one row. Its day, currency, state, direction and amount must all be certain; else the row is odd, with the reason (rule 52). A row
 * without an amount and a day is no payment.
 */
export function readRow(cells: readonly string[], { columns, form, own }: Table): ReadRow {
  const { places, names } = columns
  const cell = (column: CsvColumn) => cells[places[column]] ?? ''
  const money = [cell('amount'), cell('debit'), cell('credit')].filter((text) => text !== '')
  const booked_on = dayIn(cell('date'), form.date_form)
  if (money.length === 0 && booked_on === undefined) return 'nothing'
  if (cells.slice(names.length).some((text) => text !== '')) return { odd: 'columns_unclear' }
  const state = stateOf(cells, { columns, form })
  if (state === 'pending') return 'pending'
  if (booked_on === undefined)
    return isTotal(cells.find((text) => text !== '') ?? '') ? 'nothing' : { odd: 'day_unclear' }
  if (state === 'unclear') return { odd: 'state_unclear' }
  const amount = moneyOf(cell, form, own)
  if (typeof amount === 'string') return { odd: amount }
  const currency = [cell('currency').toUpperCase(), amount.currency].filter((code) => code !== '')
  const named =
    currency.length > 0 ? currency : [headerCurrency(columns), ...currenciesBeside(cells, columns)]
  if (named.some((code) => code !== '' && code !== own.currency && code !== symbolOf(own.currency)))
    return { odd: 'wrong_currency' }
  if (amount.amount === 0n) return 'nothing'
  return {
    line: {
      booked_on,
      amount: amount.amount,
      currency: own.currency,
      name: cut(cell('payer'), 200),
      iban: plain(cell('iban')).slice(0, 34),
      text: cut(cell('text'), 1000),
      end_to_end: '',
      bank_ref: '',
      batch_amount: null,
      doubt: null,
    },
  }
}

const symbolOf = (currency: string) => (currency === 'EUR' ? '€' : currency)

/** The state in the column for it must be known; where there is no such column, a word for it in any other column counts. */
function stateOf(
  cells: readonly string[],
  { columns: { places, unknown }, form }: Pick<Table, 'columns' | 'form'>,
): 'booked' | 'pending' | 'unclear' {
  if (form.state !== '') return stateIn(cells[places.state] ?? '') ?? 'unclear'
  const beside = [places.date, ...unknown].map((place) => cells[place] ?? '')
  // A row without a day says in any column that it is not booked yet.
  const said = (cells[places.date] ?? '') === '' ? cells : beside
  if (said.some((text) => stateIn(text) === 'pending')) return 'pending'
  return beside.some((text) => /^(?:reverted|storniert|reversed|refunded)$/i.test(text))
    ? 'unclear'
    : 'booked'
}

type Signed = { amount: bigint; currency: string }

/** Returns what the row moved, negative if it went out; or the reason why that is not certain. */
function moneyOf(cell: (column: CsvColumn) => string, form: CsvForm, own: Own): Signed | OddReason {
  const digits = digitsOf(own.currency)
  const read = (column: 'amount' | 'debit' | 'credit'): CellAmount | 'none' | undefined =>
    cell(column) === ''
      ? 'none'
      : amountIn(cell(column), { decimal: form.decimal, digits, own: own.currency })
  const [amount, debit, credit] = [read('amount'), read('debit'), read('credit')]
  if (!amount || !debit || !credit) return 'amount_unclear'
  const [out, into] = [debit, credit].map((one) => (one === 'none' || one.amount === 0n ? undefined : one))
  if (out && into) return 'amount_unclear'
  // In a column for what went out a minus says nothing more; a plus, or a minus in the other, contradicts the column.
  if (out) return out.direction === 'in' ? 'direction_unclear' : signed(out, 'out')
  if (into) return into.direction === 'out' ? 'direction_unclear' : signed(into, 'in')
  if (amount === 'none') {
    const isEmpty = debit === 'none' && credit === 'none'
    return isEmpty ? 'amount_unclear' : { amount: 0n, currency: '' }
  }
  if (form.direction === '') return signed(amount, amount.direction ?? 'in')
  const direction = directionIn(cell('direction'))
  if (direction === undefined || (amount.direction ?? direction) !== direction) return 'direction_unclear'
  return signed(amount, direction)
}

const signed = ({ amount, currency }: CellAmount, direction: 'in' | 'out'): Signed => ({
  amount: direction === 'out' ? -amount : amount,
  currency,
})

const headerCurrency = ({ names, places }: Columns): string =>
  [places.amount, places.credit, places.debit].map((place) => currencyIn(names[place] ?? '')).find(Boolean) ??
  ''

/** Returns the currencies in columns that the form does not name, such as one called 'Währung' that nobody chose. */
const currenciesBeside = (cells: readonly string[], { names, unknown }: Columns): string[] =>
  unknown.flatMap((place) =>
    /w(?:ä|ae)hrung|currency|valuta|devise|divisa|waluta|валюта|^ccy$|^cur$/i.test(names[place] ?? '') &&
    /^[A-Z]{3}$/.test(cells[place] ?? '')
      ? (cells[place] ?? '')
      : [],
  )
