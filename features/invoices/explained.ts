import * as z from 'zod/mini'
import { sentenceParams } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { named } from '#foundation/printed.ts'

/** The parts of an amount, by what they are; each has its text `invoices_part_CODE`. */
const partCodes = [
  'quantity',
  'term',
  'used',
  'reduction',
  'credited',
  'line',
  'gift',
  'vat_standard',
  'vat_oss',
  'vat_reverse_charge',
  'vat_outside_eu',
  'vat_small_business',
  'rounding',
  'net',
  'vat',
] as const

/** A part of an amount in words: a code and its parameters. Amounts in parameters are minor units of the document's currency. */
const part = z.strictObject({ code: z.enum(partCodes), params: sentenceParams(), amount: money })
named('AmountPart', part)
export type Part = z.infer<typeof part>

/** The parts of each amount of a document; they add up to it exactly. */
export const explained = z.strictObject({
  /** The parts of the price of each line, in their order. */
  lines: z.array(z.array(part)),
  net: z.array(part),
  vat: z.array(part),
  total: z.array(part),
})
named('ExplainedInvoice', explained)
export type Explained = z.infer<typeof explained>
