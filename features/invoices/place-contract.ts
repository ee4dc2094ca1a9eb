import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { requiredText } from '#foundation/fields.ts'
import { named, time, uuidText } from '#foundation/printed.ts'

/** The place of a buyer, and the question that is open while the facts about it do not agree (decision 147). */

/** A country by ISO 3166-1, or a territory whose VAT is its own: CH, IC, DE-HELGOLAND. */
export const placeCode = z.string().check(z.regex(/^[A-Z]{2}(?:-[A-Z\d]{1,12})?$/, 'invalid'))

/**
 * `agreed`: the VAT is that of the address. Else a higher one is charged: `asked` until the customer answers, `answered` until staff decide,
 * `refused` where they do not believe the address.
 */
const states = ['agreed', 'asked', 'answered', 'refused'] as const

export const placeStatus = z.strictObject({
  state: z.enum(states),
  place: placeCode,
  /** The countries of the cards and bank accounts that paid, and of the network of the last sign-in. */
  payments: z.array(z.string()),
  network: z.nullable(z.string()),
  /** The place whose VAT is charged, and its rate in percent. */
  charged: placeCode,
  vat_rate: z.string(),
  asked_since: z.nullable(time()),
  answer: z.string(),
  answered_at: z.nullable(time()),
})
named('VatPlace', placeStatus)
export type PlaceStatus = z.infer<typeof placeStatus>

export const getVatPlace = route({
  id: 'getVatPlace',
  tag: 'Invoices',
  method: 'GET',
  path: '/api/invoices/vat-place/',
  access: { who: 'customer', acts: 'own' },
  summary: 'Whether the facts agree where the customer lives',
  description:
    'Whether payments and network agree with the address of the profile, on which the VAT of orders depends, and the question if they do not',
  replies: { 200: placeStatus },
})

export const answerVatPlace = route({
  id: 'answerVatPlace',
  tag: 'Invoices',
  method: 'PUT',
  path: '/api/invoices/vat-place/answer/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Say where one lives',
  description: 'Answer the question about the place, for staff who decide; a later answer replaces it',
  body: z.strictObject({ answer: requiredText(1000) }),
  replies: { 200: placeStatus },
  errors: { 400: ['required'], 409: ['no_question'] },
})

export const openPlace = z.strictObject({
  customer: z.strictObject({ id: uuidText(), name: z.string() }),
  ...placeStatus.shape,
})
named('OpenPlace', openPlace)
export type OpenPlace = z.infer<typeof openPlace>
