import * as z from 'zod/mini'
import { errorWith } from '#foundation/error-contract.ts'
import { liveEvent, route } from '#foundation/contract.ts'
import { requiredText } from '#foundation/fields.ts'
import { named, time, urlText } from '#foundation/printed.ts'

/** The operator's terms, which customers agree to, in the version of TERMS_VERSION (row L-01). */

/** The greatest length of the name of a version, in characters. */
const VERSION_LENGTH = 64

export const termsReply = z.strictObject({
  /** The version that is asked for, and where it can be read; null where nobody is asked. */
  current: z.nullable(z.strictObject({ version: z.string(), url: urlText() })),
  /** The current version where the caller accepted it, else the last one that they accepted. */
  accepted: z.nullable(z.strictObject({ version: z.string(), at: time() })),
})
named('Terms', termsReply)
export type Terms = z.infer<typeof termsReply>

/** The version of the terms that the caller read and accepts, in a body; another one than the current is no acceptance. */
export const terms = z.optional(requiredText(VERSION_LENGTH))

/** The fields of every 409 `terms_not_accepted` (the caller accepted no version) and `terms_changed` (they accepted another version). */
export const asksForTerms = { version: z.string(), url: urlText() } as const
export const termsErrors = ['terms_not_accepted', 'terms_changed'] as const
export const termsRefusal = errorWith(409, asksForTerms)
named('TermsRefusal', termsRefusal)
export type TermsToAccept = { version: string; url: string }

export const getTerms = route({
  id: 'getTerms',
  tag: 'Profile',
  method: 'GET',
  path: '/api/users/terms/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'Which terms are accepted',
  replies: { 200: termsReply },
})

export const acceptTerms = route({
  id: 'acceptTerms',
  tag: 'Profile',
  method: 'POST',
  path: '/api/users/terms/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Accept the terms',
  body: z.strictObject({ version: requiredText(VERSION_LENGTH) }),
  replies: { 200: termsReply, 409: termsRefusal },
  errors: { 404: ['not_found'], 409: termsErrors },
})

/** A consumer withdrew from an order: pages of staff who may refund it load the number and list of waiting withdrawals again. */
export const WITHDRAWALS_CHANGED = liveEvent('withdrawals.changed')
