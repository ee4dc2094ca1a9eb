import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { multilineText, translated } from '#foundation/fields.ts'
import { locales } from '#foundation/locale.ts'
import { named } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { changePermission, pastFields, readPermission } from './company-contract.ts'

/** The calls of owners who say a mail in their own words. */

export const listMailKinds = route({
  id: 'listMailKinds',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/company/mails/',
  access: staff(readPermission),
  summary: 'The kinds of mails',
  description: 'The kinds of mails that say something in words which owners may change',
  replies: {
    200: z.strictObject({
      items: z.array(
        z.strictObject({
          kind: z.string(),
          /** With example data. */
          subject: translated(),
          /** The languages in which something is said in your words. */
          changed: z.array(z.enum(locales)),
        }),
      ),
    }),
  },
})
named('MailKinds', listMailKinds.replies[200])
export type ListedKind = z.infer<(typeof listMailKinds)['replies'][200]>['items'][number]

const of = { kind: z.string().check(z.regex(/^[a-z_]{1,35}$/)), locale: z.enum(locales) }

const words = z.strictObject({
  version,
  /** Your words by the names of the texts; empty where ours are said. */
  words: z.record(z.string(), z.string()),
})
named('MailWords', words)
export type MailWords = z.infer<typeof words>

/** The longest subject, and the longest of all other texts. */
export const LONGEST = { subject: 150, body: 1000 }

const text = z.strictObject({
  name: z.string(),
  part: z.enum(['subject', 'body']),
  ours: z.string(),
  /** The names that may stand in braces. */
  placeholders: z.array(z.string()),
  /** The names that must stand in braces, as the mail would lack them otherwise. */
  required: z.array(z.string()),
})
export type MailText = z.infer<typeof text>

const example = z.strictObject({ subject: z.string(), text: z.string() })
const examples = z.array(example)

export const readMailKind = route({
  id: 'readMailKind',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/company/mails/{kind}/{locale}/',
  access: staff(readPermission),
  summary: 'The texts of a kind of mail in a language',
  description:
    'The texts of a kind of mail in a language: ours, yours, and real mails of them with example data. Buttons, links and facts are not among them: each mail keeps them',
  params: z.strictObject(of),
  replies: {
    200: z.strictObject({
      words,
      texts: z.array(text),
      examples,
      history: z.array(z.strictObject({ section: z.string(), ...pastFields })),
    }),
  },
})
named('MailKind', readMailKind.replies[200])
export type MailKindPage = z.infer<(typeof readMailKind)['replies'][200]>

const typed = z.record(z.string().check(z.maxLength(100)), multilineText(LONGEST.body))

export const changeMailWords = route({
  id: 'changeMailWords',
  tag: 'Staff operations',
  method: 'PATCH',
  path: '/api/staff/company/mails/{kind}/{locale}/',
  access: staff(changePermission, 'none'),
  summary: 'Say texts of a mail in your words',
  description:
    'Say the named texts of a mail in your words, which are plain text; an empty one is ours again. A placeholder that a text needs must be in it',
  params: z.strictObject(of),
  body: z.strictObject({ words: typed, version: z.optional(version) }),
  replies: { 200: words, 409: changedReply(words) },
  errors: { 400: ['unknown_placeholder', 'missing_placeholder'], 409: ['changed'] },
})

export const previewMail = route({
  id: 'previewMail',
  tag: 'Staff operations',
  method: 'POST',
  path: '/api/staff/company/mails/{kind}/{locale}/preview/',
  access: staff(readPermission, 'none'),
  summary: 'Real mails with words that are not saved yet',
  params: z.strictObject(of),
  body: z.strictObject({ words: typed }),
  replies: { 200: z.strictObject({ examples }) },
  errors: { 400: ['unknown_placeholder', 'missing_placeholder'] },
})
