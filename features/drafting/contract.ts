import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { locales } from '#foundation/locale.ts'
import { named, urlText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { topics } from '#features/support/tickets/rules.ts'
import { deskPermission } from '#features/support/tickets/contract.ts'
import { kinds } from './rules.ts'

/** Drafts, summaries and translations by a model of the operator's own (decision 213). */

const drafting = z.strictObject({
  /** True if the operator has set up a model. */
  is_on: z.boolean(),
  /** The topics of the tickets that may be shown to it. */
  topics: z.array(z.enum(topics)),
})
named('Drafting', drafting)

export const getDrafting = route({
  id: 'getDrafting',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/drafting/',
  access: staff(deskPermission),
  summary: 'Whether a model of the operator helps to answer',
  replies: { 200: drafting },
})

const drafted = z.strictObject({
  /** Plain text, for a person to judge; nothing was sent or changed. */
  text: z.string(),
  /** The articles that the model was given. */
  sources: z.array(z.strictObject({ title: z.string(), url: urlText() })),
})
named('DraftedText', drafted)

export const draftText = route({
  id: 'draftText',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/tickets/{chatId}/drafted-texts/',
  access: staff(deskPermission, 'any'),
  limits: ['drafted_text'],
  summary: 'Let the model draft, sum up or translate',
  description:
    'Let the model of the operator draft an answer, sum up the ticket, or translate what the customer wrote last into `language`. Addresses, keys and bank data are taken out before. Nothing is sent or changed',
  params: z.strictObject({ chatId: z.string() }),
  body: z.strictObject({
    kind: z.enum(kinds, { error: 'invalid' }),
    /** The language of the reader, for summaries and translations; a draft is in the customer's. */
    language: z.enum(locales, { error: 'invalid' }),
  }),
  replies: { 200: drafted },
  errors: { 404: ['not_found'], 409: ['drafting_off'], 503: ['drafting_failed'] },
})
