import * as z from 'zod/mini'
import { text } from '#foundation/fields.ts'
import { named } from '#foundation/printed.ts'

// Each bank writes its CSV statements in its own form, with its own names of columns, and its own forms of days and amounts.

export const delimiters = [';', ',', 'tab', '|'] as const
export const encodings = ['utf-8', 'windows-1252'] as const
export const dateForms = ['dd.mm.yyyy', 'yyyy-mm-dd', 'dd/mm/yyyy', 'mm/dd/yyyy', 'dd.mm.yy'] as const
export const decimals = [',', '.'] as const

const column = text(100).check(z.refine((name) => name !== '', { error: 'required' }))
/** The name of a column; empty if the statement has no such column. */
const optionalColumn = text(100)

/** The form of a bank's CSV. The columns are given by their names in the line above the payments. */
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
