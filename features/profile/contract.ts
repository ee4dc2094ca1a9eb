import * as z from 'zod/mini'
import type { Locale } from '#foundation/locale.ts'
import { event, route, liveEvent } from '#foundation/contract.ts'
import { email, identifier, newEmail, pastedKey, requiredText, text } from '#foundation/fields.ts'
import { hasLink } from '#foundation/link-like.ts'
import { money, type Money } from '#foundation/money.ts'
import { errorWith } from '#foundation/error-contract.ts'
import { AUTH, conflict, done, forbidden, unauthenticated } from '#foundation/session-contract.ts'
import { emailText, named, time, uuidText } from '#foundation/printed.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { fields, ofEachField } from './fields.ts'
import { plainNumber } from '#foundation/typed-code.ts'
import { firstPages, plainVatId } from './rules.ts'

export { fieldLengths } from './fields.ts'

/** Personal data: the profile (rows P-01, P-02) and the email addresses (auth contract section 9). */

export const matters = ['webhook_disabled'] as const

const profile = z.strictObject({
  id: uuidText(),
  email: emailText(),
  ...ofEachField(() => z.string()),
  /** The full name, or else the email. */
  display: z.string(),
  is_staff: z.boolean(),
  /** An ISO 3166-1 code, or ''. */
  country: z.string(),
  /** The uuid of a language. */
  language: uuidText(),
  /** The time zone of the times in mails, such as `Europe/Berlin`; '' is the operator's. */
  time_zone: z.string(),
  /** The page on which a member of staff begins; left out for customers. */
  first_page: z.optional(z.enum(firstPages)),
  created_at: time(),
  version,
  /** Present if the account is blocked: its customer may not buy. */
  blocked: z.optional(z.strictObject({ message: z.string() })),
  /** True after the password was reset by mail, until the customer has reviewed all ways into the account. */
  access_review: z.optional(z.literal(true)),
  /** The matters that every page asks to look at; left out where there are none. */
  attention: z.optional(z.array(z.enum(matters))),
})
named('Profile', profile)
export type Matter = (typeof matters)[number]
export type Profile = z.infer<typeof profile>

export const getProfile = route({
  id: 'getProfile',
  tag: 'Profile',
  method: 'GET',
  path: '/api/users/detail/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'The profile of the caller',
  replies: { 200: profile },
})

/** The page on which a member of staff begins, as a field. */
export const firstPage = () => z.enum(firstPages, { error: 'invalid' })

/** A part of a person's name, which stands in mails to others: it holds no web address. */
const personName = (max: number) =>
  text(max).check(z.refine((value) => !hasLink(value), { error: 'link_in_name' }))

export const updateProfile = route({
  id: 'updateProfile',
  tag: 'Profile',
  method: 'PATCH',
  path: '/api/users/update/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Change the named fields of the profile',
  description: 'Change the named fields of the profile; country by code, language by uuid',
  body: z.strictObject({
    ...ofEachField((name, { card, most }) => z.optional(card === 'person' ? personName(most) : text(most))),
    /** Written as `rules.ts` writes it (`DE123456789`). */
    vat_id: z.optional(identifier(plainVatId, fields.vat_id.most)),
    country: z.optional(text(64)),
    language: z.optional(requiredText(64)),
    time_zone: z.optional(text(64)),
    /** A choice that only staff have. */
    first_page: z.optional(firstPage()),
    /** If given and stale, nothing changes, and 409 carries the present profile. */
    version: z.optional(version),
  }),
  replies: { 200: profile, 409: changedReply(profile) },
  errors: {
    400: ['unknown_country', 'unknown_language', 'unknown_time_zone', 'invalid_vat_id', 'link_in_name'],
    403: ['not_allowed'],
    409: ['changed'],
  },
})

export const finishAccessReview = route({
  id: 'finishAccessReview',
  tag: 'Profile',
  method: 'DELETE',
  path: '/api/users/access-review/',
  access: { who: 'customer', acts: 'own', proof: 'recent', whileBlocked: 'allowed' },
  summary: 'All ways into the account are mine',
  description:
    'After a password reset by mail, the profile asks for a review of addresses, passkeys and codes; this ends it. Needs a recent proof of identity, in a session that knows the password.',
  replies: { 204: null },
})

/** Money of a balance that goes to a bank account when the account is deleted. */
export const leftToBank = z.strictObject({
  amount: money,
  iban: identifier(plainNumber, 42),
  holder: requiredText(70),
})

export const deactivate = route({
  id: 'deactivate',
  tag: 'Profile',
  method: 'DELETE',
  path: '/api/users/deactivate/',
  access: { who: 'customer', acts: 'own', proof: 'recent', whileBlocked: 'allowed' },
  summary: 'Delete the account',
  description:
    'Delete the account: erases profile and addresses, ends all sessions; needs a recent proof of identity',
  body: z.strictObject({
    email: z.optional(requiredText(254)),
    /** The remaining balance that the customer forfeits. If money is left and this is missing or another sum, the 409 names it. */
    forfeit: z.optional(money),
    /** The part of the balance that is paid out to a bank account instead; `forfeit` names the rest, if there is any. */
    payout: z.optional(leftToBank),
  }),
  replies: { 204: null, 409: errorWith(409, { balance: money }) },
  errors: {
    400: ['email_does_not_match', 'iban_invalid', 'iban_not_sepa', 'holder_not_latin'],
    409: ['balance_left', 'last_owner', 'merge_undoable'],
  },
})

export const downloadData = route({
  id: 'downloadData',
  tag: 'Profile',
  method: 'GET',
  path: '/api/users/export/',
  access: { who: 'customer', acts: 'own', proof: 'recent' },
  summary: 'Everything that is kept about the customer, as a ZIP',
  description:
    'Everything that is kept about the customer, as a ZIP of JSON files and documents (application/zip); needs a recent proof of identity',
  limits: ['export'],
  responseType: 'application/zip',
  replies: { 200: null },
})

export const downloadExport = route({
  id: 'downloadExport',
  tag: 'Profile',
  method: 'POST',
  path: '/api/data-export/',
  access: { who: 'anyone' },
  summary: 'The same by the link of a mail that staff had sent',
  description:
    'The same ZIP by the key of a mail that staff had sent to the customer, for 7 days; for customers who cannot sign in',
  limits: ['data_export'],
  body: z.strictObject({ key: pastedKey() }),
  responseType: 'application/zip',
  replies: { 200: null },
  errors: { 400: ['invalid_or_expired_key'] },
})

export const listLanguages = route({
  id: 'listLanguages',
  tag: 'Profile',
  method: 'GET',
  path: '/api/languages/list/',
  access: { who: 'anyone' },
  viewable: true,
  summary: 'The languages of the product',
  replies: { 200: z.array(z.strictObject({ uuid: uuidText(), slug: z.string() })) },
})

export const listCountries = route({
  id: 'listCountries',
  tag: 'Profile',
  method: 'GET',
  path: '/api/countries/list/',
  access: { who: 'anyone' },
  viewable: true,
  summary: 'Countries by their ISO 3166-1 code, with English names',
  replies: { 200: z.array(z.strictObject({ code: z.string(), name: z.string() })) },
})

/** The kinds of mail a user wants. */
const mailPreferences = z.strictObject({
  ticket_replies: z.boolean(),
  ticket_closing: z.boolean(),
  /** News of the operator: off until somebody asks for it. */
  news: z.boolean(),
  /** A choice that only staff have; left out for customers. */
  new_tickets: z.optional(z.boolean()),
})
named('MailPreferences', mailPreferences)
export type MailPreferences = z.infer<typeof mailPreferences>

export const getMailPreferences = route({
  id: 'getMailPreferences',
  tag: 'Profile',
  method: 'GET',
  path: '/api/users/mails/',
  access: { who: 'customer', acts: 'own' },
  viewable: true,
  summary: 'Which mails the caller wants, by kind',
  replies: { 200: mailPreferences },
})

export const changeMailPreferences = route({
  id: 'changeMailPreferences',
  tag: 'Profile',
  method: 'PATCH',
  path: '/api/users/mails/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Switch kinds of mail on or off',
  body: z.strictObject({
    ticket_replies: z.optional(z.boolean()),
    ticket_closing: z.optional(z.boolean()),
    new_tickets: z.optional(z.boolean()),
    news: z.optional(z.boolean()),
  }),
  replies: { 200: mailPreferences },
  errors: { 403: ['not_allowed'] },
})

export const stopNews = route({
  id: 'stopNews',
  tag: 'Profile',
  method: 'POST',
  path: '/api/news/stop/',
  access: { who: 'anyone' },
  summary: 'Stop news by mail, by the key of a letter',
  description: 'The one click of mail programs (RFC 8058): it takes any body, and reads none',
  limits: ['news_stop'],
  query: z.strictObject({ key: pastedKey() }),
  requestType: 'unread',
  replies: { 204: null },
  errors: { 400: ['invalid_or_expired_key'] },
})

const path = `${AUTH}/account/email` as const
const addresses = z.strictObject({
  status: z.literal(200),
  data: z.array(z.strictObject({ email: emailText(), verified: z.boolean(), primary: z.boolean() })),
})
named('Addresses', addresses)

export const listAddresses = route({
  id: 'listAddresses',
  tag: 'Addresses',
  method: 'GET',
  path,
  access: { who: 'customer', acts: 'own' },
  style: 'auth',
  viewable: true,
  summary: 'The email addresses of the account',
  replies: { 200: addresses, 401: unauthenticated },
})

// `anyone`: the auth contract requires 409, not 401, for anonymous callers.
export const addAddress = route({
  id: 'addAddress',
  tag: 'Addresses',
  method: 'POST',
  path,
  access: { who: 'anyone' },
  style: 'auth',
  summary: 'Add an address and send its confirmation',
  limits: ['manage_email'],
  body: z.object({ email: newEmail() }),
  replies: { 200: addresses, 401: unauthenticated, 409: conflict },
  errors: { 400: ['add_email_blocked', 'duplicate_email', 'unverified_email'] },
})

export const resendConfirmation = route({
  id: 'resendConfirmation',
  tag: 'Addresses',
  method: 'PUT',
  path,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Send the confirmation of an address again',
  description: 'Send the confirmation of an address again; 403 within 180 s of the last one',
  limits: ['manage_email'],
  body: z.object({ email: email() }),
  replies: { 200: done, 401: unauthenticated, 403: forbidden },
  errors: { 400: ['unknown_email'] },
})

export const makePrimary = route({
  id: 'makePrimary',
  tag: 'Addresses',
  method: 'PATCH',
  path,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Make an address the primary one',
  limits: ['manage_email'],
  body: z.object({
    email: email(),
    // Only true has an effect; false counts as missing (auth contract section 9).
    primary: z.literal(true, { error: 'required' }),
  }),
  replies: { 200: addresses, 401: unauthenticated },
  errors: { 400: ['unknown_email', 'unverified_primary_email'] },
})

export const removeAddress = route({
  id: 'removeAddress',
  tag: 'Addresses',
  method: 'DELETE',
  path,
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  style: 'auth',
  summary: 'Remove an address other than the primary one',
  limits: ['manage_email'],
  body: z.object({ email: email() }),
  replies: { 200: addresses, 401: unauthenticated },
  errors: { 400: ['unknown_email', 'cannot_remove_primary_email'] },
})

/** An address of an account was added, removed or made primary: earlier mails may have reached the wrong person. */
export const addressChanged = event<{ user_id: string; change: AddressChange }>('address.changed')
export type AddressChange = 'added' | 'removed' | 'primary'

/** A customer saved a field that decides the VAT: the VAT ID, the country, the postcode or the city. */
export const taxDataSaved = event<{ user_id: string }>('profile.tax_data_saved')

/** Staff blocked or locked an account, or opened it again. */
export const accessChanged = event<{ user_id: string; access: 'open' | 'blocked' | 'locked' }>(
  'user.access_changed',
)

/** The owner of an account deleted it: each feature erases the data that it holds about the account. */
export const userDeactivated = event<{ user_id: string }>('user.deactivated')

/** The address that an account had before it was deleted, and its language. */
export type LeftAddress = { to: string; locale: Locale }

/**
 * Emitted after `userDeactivated`, before `balanceForfeited`: a feature that pays money out makes the payout, which outlives the account. It
 * throws 409 `balance_left` where less than the amount may leave, or where `forfeit` is not the rest.
 */
export const balanceToBank = event<
  { user_id: string; forfeit: Money | undefined; address: LeftAddress } & z.infer<typeof leftToBank>
>('user.balance_to_bank')

/**
 * Emitted after `userDeactivated`, when all locks are taken. A feature that holds money for the account throws 409 `balance_left`,
 * unless `forfeit` equals the remainder.
 */
export const balanceForfeited = event<{ user_id: string; forfeit: Money | undefined }>(
  'user.balance_forfeited',
)

/** The profile, an address or the review changed. `tab` is the page that saved it, if one did. */
export const PROFILE_CHANGED = liveEvent('profile.changed')
