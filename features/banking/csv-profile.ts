import * as z from 'zod/mini'
import { text } from '#foundation/fields.ts'
import { named } from '#foundation/printed.ts'

// A CSV statement has a form of its own at each bank: what its columns are called, and how it writes days and amounts.

export const delimiters = [';', ',', 'tab', '|'] as const
export const encodings = ['utf-8', 'windows-1252'] as const
export const dateForms = ['dd.mm.yyyy', 'yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'dd.mm.yy'] as const
export const decimals = [',', '.'] as const

const column = text(100).check(z.refine((name) => name !== '', { error: 'required' }))
/** Empty where the statement has no such column. */
const optionalColumn = text(100)

/** Columns by their names in the first line that counts. */
export const csvForm = z.strictObject({
  delimiter: z.enum(delimiters, { error: 'invalid' }),
  encoding: z.enum(encodings, { error: 'invalid' }),
  date_form: z.enum(dateForms, { error: 'invalid' }),
  decimal: z.enum(decimals, { error: 'invalid' }),
  date: column,
  amount: column,
  currency: optionalColumn,
  payer: optionalColumn,
  iban: optionalColumn,
  text: optionalColumn,
})
named('CsvForm', csvForm)
export type CsvForm = z.infer<typeof csvForm>
