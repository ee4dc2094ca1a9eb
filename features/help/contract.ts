import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { opaqueText } from '#foundation/fields.ts'
import { locales } from '#foundation/locale.ts'
import { named, urlText, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'

/** The help centre: articles in sections, which anybody reads at /help/ (decision 212). */

export const writePermission = permission('help.write', ['support', 'admin'])

const found = z.strictObject({
  id: uuidText(),
  title: z.string(),
  section: z.string(),
  /** The page of the article; for an article of staff, its page in the account area. */
  url: urlText(),
  /** Words of the article around what was found. */
  excerpt: z.string(),
})
named('FoundArticle', found)
export type FoundArticle = z.infer<typeof found>

const searched = z.strictObject({
  /** The help centre; null while nothing is published. */
  url: z.nullable(urlText()),
  items: z.array(found),
})
named('FoundArticles', searched)

const asked = z.strictObject({
  /** The words that a person looks for, or has typed so far. */
  q: z.optional(opaqueText(1000)),
  language: z.optional(z.enum(locales, { error: 'invalid' })),
})

export const searchHelp = route({
  id: 'searchHelp',
  tag: 'Help',
  method: 'GET',
  path: '/api/help/',
  access: { who: 'anyone' },
  limits: ['help_search'],
  summary: 'The articles that fit best to a text',
  description:
    'At most three articles of the help centre that fit to a text, in its language; none without a text, or where nothing fits',
  query: asked,
  replies: { 200: searched },
})

export const searchStaffHelp = route({
  id: 'searchStaffHelp',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/help/search/',
  access: staff(writePermission),
  summary: 'Articles to link to, those for staff as well',
  query: asked,
  replies: { 200: searched },
})
