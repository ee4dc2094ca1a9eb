import * as z from 'zod/mini'
import { identifier, sentenceParams, text } from '#foundation/fields.ts'
import { money } from '#foundation/money.ts'
import { named, time } from '#foundation/printed.ts'
import { fieldLengths } from '#features/profile/contract.ts'
import { countryCodes, plainCountry, isVatId, plainVatId } from '#features/profile/rules.ts'
import { lineCodes, noteCodes, reductionCodes, vatKinds } from './rules.ts'

/** The shapes of documents, and of the changes that a reissue makes. */

const params = sentenceParams()

/** A code and its parameters; each reader sees the text in their own language (`lineText` and `noteText`). */
const lineDescription = z.strictObject({ code: z.enum(lineCodes), params })
export type LineDescription = z.infer<typeof lineDescription>
/** The reason for what is taken off a line, as a code and its parameters (`reductionText`). */
const reduction = z.strictObject({ code: z.enum(reductionCodes), params })
export type Reduction = z.infer<typeof reduction>
export const documentNote = z.strictObject({ code: z.enum(noteCodes), params })
export type Note = z.infer<typeof documentNote>

/** The address of a seller or buyer; unknown fields are ''. `country` is an ISO 3166-1 code. */
const address = { street: z.string(), zip: z.string(), city: z.string(), country: z.string() }
export const seller = z.strictObject({
  ...address,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  vat_id: z.string(),
  tax_number: z.string(),
  register: z.string(),
  iban: z.string(),
  bic: z.string(),
})
named('Seller', seller)
export type Seller = z.infer<typeof seller>
export const buyer = z.strictObject({
  ...address,
  /** The name of the person; if `company` is set, the name of its contact person. */
  name: z.string(),
  company: z.string(),
  /** Apartment, floor, entrance. */
  apartment: z.string(),
  state: z.string(),
  email: z.string(),
  vat_id: z.string(),
})
named('Buyer', buyer)
export type Buyer = z.infer<typeof buyer>

export const line = z.strictObject({
  description: lineDescription,
  /** A whole number, as text. */
  quantity: z.string(),
  /** The net price of one unit. */
  cost: money,
  /** The net price of the line: quantity × cost, less the allowance. */
  price: money,
  /** The net amount that is taken off the line, and the reason; left out where none is. */
  allowance: z.optional(z.strictObject({ amount: money, reduction })),
  /** In percent, as text: `'19'`, `'25.5'`. */
  vat_rate: z.string(),
  /** The paid period: [first time, second time). On paper, the first and last day in the seller's time zone, both included. */
  period: z.nullable(
    z.strictObject({
      starts_at: time(),
      ends_at: time(),
      first_day: z.string(),
      last_day: z.string(),
    }),
  ),
})

/** The buyer on a reissued invoice; unknown fields are ''. If the law requires a name, `name` or `company` must be set. */
export const reissuedBuyer = z.strictObject({
  name: text(fieldLengths.name + fieldLengths.middle_name + fieldLengths.surname + 2),
  company: text(fieldLengths.company),
  street: text(fieldLengths.address),
  apartment: text(fieldLengths.apartment),
  zip: text(fieldLengths.zip),
  city: text(fieldLengths.city),
  state: text(fieldLengths.state),
  country: text(2).check(
    z.overwrite((typed) => plainCountry(typed)),
    z.refine((code) => code === '' || countryCodes.includes(code), { error: 'unknown_country' }),
  ),
  vat_id: identifier(plainVatId, fieldLengths.vat_id).check(
    z.refine((plain) => plain === '' || isVatId(plain), { error: 'invalid_vat_id' }),
  ),
})
export type ReissuedBuyer = z.infer<typeof reissuedBuyer>

/** The sums of an invoice. */
export const sums = z.strictObject({
  vat_kind: z.enum(vatKinds),
  /** The country in which the VAT is due; the buyer's country if no VAT is due. */
  country: z.string(),
  vat_rate: z.string(),
  net: money,
  vat: money,
  total: money,
})
named('InvoiceSums', sums)

/** `asking`: an authority has not answered yet. `waiting`: no authority is asked. `other_country`: not of the customer's country. */
const vatIdStates = [
  'not_needed',
  'verified',
  'asking',
  'waiting',
  'invalid',
  'other_country',
  'consumer',
] as const

export const vatStatus = z.strictObject({
  vat_id: z.string(),
  /** Only `verified` means that no VAT is charged because of the VAT ID. */
  state: z.enum(vatIdStates),
  /** The time of the first question about the VAT ID since its last confirmation, or since when it waits if nobody is asked; else null. */
  asked_since: z.nullable(time()),
  /** The time of an authority's newest answer about this VAT ID; null without an answer. */
  checked_at: z.nullable(time()),
})
named('VatStatus', vatStatus)
export type VatStatus = z.infer<typeof vatStatus>
