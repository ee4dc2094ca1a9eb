import * as z from 'zod/mini'
import { text } from '#foundation/fields.ts'
import { named } from '#foundation/printed.ts'

// Each bank writes its CSV statements in its own form, with its own names of columns, and its own forms of days and amounts.

export const delimiters = [';', ',', 'tab', '|'] as const
/** Counts only for a file without a mark that is not UTF-8: else the bytes say it. */
export const encodings = [
  'utf-8',
  'windows-1252',
  'iso-8859-15',
  'windows-1250',
  'windows-1251',
  'cp850',
  'macintosh',
] as const
export const dateForms = [
  'dd.mm.yyyy',
  'yyyy-mm-dd',
  'dd/mm/yyyy',
  'mm/dd/yyyy',
  'dd.mm.yy',
  'yyyymmdd',
  'dd-mm-yyyy',
] as const
export const decimals = [',', '.'] as const

/** The columns that a form names. Money stands in `amount`, or, what came in and what went out apart, in `credit` and `debit`. */
export const csvColumns = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'state',
  'currency',
  'payer',
  'iban',
  'text',
] as const
export type CsvColumn = (typeof csvColumns)[number]

const column = text(100).check(z.refine((name) => name !== '', { error: 'required' }))
/** The name of a column; empty if the statement has no such column. */
const optionalColumn = text(100)
/** An optional column that a request need not name. */
const unnamedColumn = z._default(optionalColumn, '')

const formShape = {
  delimiter: z.enum(delimiters, { error: 'invalid' }),
  encoding: z.enum(encodings, { error: 'invalid' }),
  date_form: z.enum(dateForms, { error: 'invalid' }),
  decimal: z.enum(decimals, { error: 'invalid' }),
  date: column,
  amount: optionalColumn,
  currency: optionalColumn,
  payer: optionalColumn,
  iban: optionalColumn,
  text: optionalColumn,
  debit: unnamedColumn,
  credit: unnamedColumn,
  /** Says in words or letters, such as S and H, what came in and what went out. */
  direction: unnamedColumn,
  /** Says whether the bank has booked the payment. */
  state: unnamedColumn,
  /** 'minus' if a person has confirmed that money that went out has a minus sign. */
  sign: z._default(z.enum(['unsaid', 'minus'], { error: 'invalid' }), 'unsaid'),
}

/**
 * The form of a bank's CSV. The columns are given by their names in the line above the payments; one without a name is called by its place,
 * as '#9'.
 */
export const csvForm = z.strictObject(formShape).check(
  z.refine(({ amount, debit, credit }) => amount !== '' || debit !== '' || credit !== '', {
    error: 'required',
    path: ['amount'],
  }),
)
named('CsvForm', csvForm)
export type CsvForm = z.infer<typeof csvForm>

/** The parts of a form that a file leaves open, and a person has to say (rule 52). */
export const csvQuestions = ['date', 'date_form', 'amount', 'decimal', 'direction'] as const
export type CsvQuestion = (typeof csvQuestions)[number]

/** A form as far as a file itself shows it. */
export const csvGuess = z.strictObject({ ...formShape, date: optionalColumn })
named('CsvGuess', csvGuess)
export type CsvGuess = z.infer<typeof csvGuess>
