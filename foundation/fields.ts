import * as z from 'zod/mini'
import { canonicalEmail } from './email-address.ts'
import { isBlank } from './is-blank.ts'
import { uuidForm } from './uuid.ts'

/** Bounds in code points, not in UTF-16 units: an emoji counts once. */
const atMost = (max: number, error = 'max_length') =>
  z.refine<string>((text) => text.length <= max || [...text].length <= max, { error, abort: true })

// NUL cannot be stored in PostgreSQL text; a lone surrogate cannot be stored as UTF-8.
const storable = [
  z.refine<string>((text) => !text.includes('\0'), { error: 'null_characters_not_allowed', abort: true }),
  z.refine<string>((text) => text.isWellFormed(), { error: 'invalid', abort: true }),
] as const

// The normal form may be longer, so it comes before a text's length is judged, or the database would have to refuse it.
const composed = z.normalize('NFC')

// The attacks: a line break in a name that is in a mail's header, and a sign that turns the direction of what follows
// it, so that "exe.gpj" is read as a picture. Joiners stay: emoji and several scripts are written with them.
const oneLine = z.refine<string>((text) => !/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(text), {
  error: 'unprintable_characters',
  abort: true,
})

/** A name by the operator in every language, for readers to choose theirs. */
export const translated = () => z.strictObject({ en: z.string(), de: z.string(), ru: z.string() })

/** The values inserted into a sentence; a name may be given in every language. */
export const sentenceParams = () => z.record(z.string(), z.union([z.string(), translated()]))

/** A line of text that may be empty, stored as typed but for outer blanks, in NFC: all names, subjects and titles. */
export const text = (max: number) =>
  z.string({ error: invalidOrRequired }).check(z.trim(), composed, ...storable, oneLine, atMost(max))

/** A text of many lines, stored as typed: blanks at its ends may mean something, as in code. It may be empty. */
export const multilineText = (max: number) =>
  z.string({ error: invalidOrRequired }).check(composed, ...storable, atMost(max, 'too_long'))

/** The same where something has to be said. */
export const requiredMultilineText = (max: number) =>
  multilineText(max).check(z.refine((value) => !isBlank(value), { error: 'required' }))

const notBlank = z.refine<string>((value) => !isBlank(value), { error: 'required', abort: true })

/** The same where something has to be said. */
export const requiredText = (max: number) =>
  z.string({ error: invalidOrRequired }).check(z.trim(), notBlank, ...storable, oneLine, atMost(max))

/**
 * A text that is compared and never shown: passwords, codes, keys, searches. Any character that can be stored may be in it. Passwords
 * and codes are trimmed too (contract section 2).
 */
export const opaqueText = (max: number) =>
  z.string({ error: invalidOrRequired }).check(z.trim(), notBlank, ...storable, atMost(max))

/** An e-mail address in its one form (email-address.ts), at most 254 code points (RFC 5321 4.5.3.1.3). */
export const email = () =>
  z.string({ error: invalidOrRequired }).check(
    z.trim(),
    composed,
    notBlank,
    ...storable,
    atMost(254),
    z.overwrite<string>((value) => canonicalEmail(value) ?? ''),
    z.refine<string>((value) => value !== '', { error: 'invalid', abort: true }),
    atMost(254),
  )

/** The refusals of a new password, in Django's order; each call that sets a password declares them. */
export const passwordFaults = [
  'password_too_similar',
  'password_too_short',
  'password_too_common',
  'password_entirely_numeric',
] as const

/** A password as sent; the limit bounds the work of hashing (contract D10). */
export const password = () => opaqueText(1024)

/** A one-time code or key, as text: a JSON number would lose leading zeros. */
export const code = () => opaqueText(64)

// A day that the month lacks would roll over into the next.
const isDay = (day: string) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)

/** An RFC 3339 time; a day that no calendar has is refused. */
export const moment = z.string().check(
  z.regex(/^(?:19|20|21)\d\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/, 'invalid'),
  z.refine((text) => !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10)), { error: 'invalid' }),
)

/** A day without a time, `2026-01-31`; the call says in which time zone. */
export const calendarDay = z
  .string()
  .check(z.regex(/^(?:19|20|21)\d\d-\d\d-\d\d$/, 'invalid'), z.refine(isDay, { error: 'invalid' }))

function invalidOrRequired(issue: { input?: unknown }): string {
  return issue.input === undefined || issue.input === null ? 'required' : 'invalid'
}

/** The id of a row, in small letters. */
export const uuid = z.string().check(z.regex(uuidForm))
