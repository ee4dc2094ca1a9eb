import * as z from 'zod/mini'
import { canonicalEmail } from './email-address.ts'
import { isBlank } from './is-blank.ts'
import { plainCode, plainKey } from './typed-code.ts'
import { uuidForm } from './uuid.ts'

/** Limits the length in code points, not in UTF-16 units: an emoji counts once. */
const atMost = (max: number, error = 'max_length') =>
  z.refine<string>((text) => text.length <= max || [...text].length <= max, { error, abort: true })

// NUL cannot be stored in PostgreSQL text; a lone surrogate cannot be stored as UTF-8.
const storable = [
  z.refine<string>((text) => !text.includes('\0'), { error: 'null_characters_not_allowed', abort: true }),
  z.refine<string>((text) => text.isWellFormed(), { error: 'invalid', abort: true }),
] as const

// The normal form may be longer than the text, so a text is composed before its length is judged: else the database would refuse some.
const composed = z.normalize('NFC')

// The attacks are a line break in a name that goes into a mail's header, and a control character that turns the direction of the
// text after it, so that "exe.gpj" looks like a picture. Joiners are allowed: emoji and several scripts are written with them.
const oneLine = z.refine<string>((text) => !/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(text), {
  error: 'unprintable_characters',
  abort: true,
})

/** A name that the operator wrote in every language; a page shows it in the language of its reader. */
export const translated = () => z.strictObject({ en: z.string(), de: z.string(), ru: z.string() })

/** The values inserted into a sentence; a name may be given in every language. */
export const sentenceParams = () => z.record(z.string(), z.union([z.string(), translated()]))

/** One line of text, which may be empty, such as a name, a subject or a title. It is trimmed and composed to NFC. */
export const text = (max: number) =>
  z.string({ error: invalidOrRequired }).check(z.trim(), composed, ...storable, oneLine, atMost(max))

/** A text of many lines, which may be empty. It is composed to NFC, but not trimmed: blanks at its ends may mean something, as in code. */
export const multilineText = (max: number) =>
  z.string({ error: invalidOrRequired }).check(composed, ...storable, atMost(max, 'too_long'))

/** Like `multilineText`, but a blank text is refused as `required`. */
export const requiredMultilineText = (max: number) =>
  multilineText(max).check(z.refine((value) => !isBlank(value), { error: 'required' }))

const notBlank = z.refine<string>((value) => !isBlank(value), { error: 'required', abort: true })

/** Like `text`, but a blank text is refused as `required`. */
export const requiredText = (max: number) =>
  z
    .string({ error: invalidOrRequired })
    .check(z.trim(), composed, notBlank, ...storable, oneLine, atMost(max))

/**
 * A text that is compared and never shown: passwords, tokens of programs, searches. Any character that can be stored may be in it. Passwords
 * are trimmed too (auth contract section 2).
 */
export const opaqueText = (max: number) =>
  z.string({ error: invalidOrRequired }).check(z.trim(), notBlank, ...storable, atMost(max))

/** An e-mail address in its canonical form (email-address.ts), at most 254 code points (RFC 5321 4.5.3.1.3). */
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

/**
 * An address that somebody names for the first time. Before its @ it has ASCII only, because most servers on the way of a mail know no other
 * (SMTPUTF8, RFC 6531), and the mail would vanish; the domain may be in any script. An address that is named again, as by a sign-in, is read by `email`.
 */
export const newEmail = () =>
  email().check(z.refine<string>((value) => /^[!-~]+@/.test(value), { error: 'unreachable_email' }))

/** The refusals of a new password, in Django's order; each call that sets a password declares them. */
export const passwordFaults = [
  'password_too_similar',
  'password_too_short',
  'password_too_common',
  'password_entirely_numeric',
] as const

/** A password as sent; the limit bounds the work of hashing (auth contract D10). */
export const password = () => opaqueText(1024)

const typed = (plain: (text: string) => string, max: number) =>
  z.string({ error: invalidOrRequired }).check(...storable, z.overwrite<string>(plain), notBlank, atMost(max))

/** A number that an authority or a bank gave out, which may be empty, in its plain form. */
export const identifier = (plain: (text: string) => string, max: number) =>
  z.string({ error: invalidOrRequired }).check(...storable, z.overwrite<string>(plain), oneLine, atMost(max))

/** A code as people type it, of the app, for recovery or of a voucher (typed-code.ts): text, because a JSON number would lose leading zeros. */
export const code = (max = 64) => typed(plainCode, max)

/** A key out of a mail or a page as people paste it (typed-code.ts). */
export const pastedKey = (max = 200) => typed(plainKey, max)

// `Date` rolls a day that the month lacks over into the next month: 30 February becomes 2 March.
/** True for a day of the calendar, `2026-02-28`. */
export const isDay = (day: string) =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)

/** An RFC 3339 time, whose seconds may be left out. A day that does not exist is refused. */
export const moment = z.string().check(
  z.regex(/^(?:19|20|21)\d\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/, 'invalid'),
  z.refine((text) => !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10)), { error: 'invalid' }),
)

/** A day without a time, `2026-01-31`. The description of the call says in which time zone it is. */
export const calendarDay = z
  .string()
  .check(z.regex(/^(?:19|20|21)\d\d-\d\d-\d\d$/, 'invalid'), z.refine(isDay, { error: 'invalid' }))

function invalidOrRequired(issue: { input?: unknown }): string {
  return issue.input === undefined || issue.input === null ? 'required' : 'invalid'
}

/** The id of a row: a UUID in small letters. */
export const uuid = z.string().check(z.regex(uuidForm))
