import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { multilineText, text, translated } from '#foundation/fields.ts'
import { optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { count, named, time, urlText, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { writePermission } from './contract.ts'
import { audiences, KEYWORDS_LENGTH, TEXT_LENGTH } from './rules.ts'
import { rank, section, slug, titles, words } from './section-contract.ts'

/** The help centre as staff write it (decision 212). */

const listed = {
  id: uuidText(),
  section_id: uuidText(),
  /** The last part of the article’s address. */
  slug: z.string(),
  rank: count(),
  audience: z.enum(audiences),
  title: translated(),
  is_published: z.boolean(),
  /** How often it was published. */
  revision: count(),
  /** True if the content differs from what readers see. */
  has_changes: z.boolean(),
  changed_at: time(),
  published_at: z.nullable(time()),
  /** How many readers found it helpful, and how many did not. */
  helpful: count(),
  unhelpful: count(),
  /** Its public page; null while it has none. */
  url: z.nullable(urlText()),
  version,
} as const
const listedArticle = z.strictObject(listed)
named('ListedHelpArticle', listedArticle)
export type ListedArticle = z.infer<typeof listedArticle>

const article = z.strictObject({
  ...listed,
  text: translated(),
  keywords: translated(),
  /** Other articles whose text links to this one. */
  linked_from: z.array(z.strictObject({ id: uuidText(), title: translated() })),
})
named('HelpArticle', article)
export type HelpArticle = z.infer<typeof article>

export const listHelp = route({
  id: 'listHelp',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/help/',
  access: staff(writePermission),
  summary: 'All sections and articles of the help centre',
  replies: { 200: z.strictObject({ sections: z.array(section), articles: z.array(listedArticle) }) },
})
named('HelpCentre', listHelp.replies[200])

const texts = words(() => multilineText(TEXT_LENGTH))
named('HelpText', texts)
const keywords = words(() => text(KEYWORDS_LENGTH))
named('HelpKeywords', keywords)

const fields = {
  rank: z.optional(rank),
  audience: z.optional(z.enum(audiences, { error: 'invalid' })),
  title: z.optional(titles),
  text: z.optional(texts),
  keywords: z.optional(keywords),
} as const

/** The content of a new article, as a call or the demo data give it. */
const newArticle = z.strictObject({ section_id: z.uuid(), slug, ...fields })

export const createHelpArticle = route({
  id: 'createHelpArticle',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/help/articles/',
  access: staff(writePermission, 'none'),
  summary: 'Write an article',
  description: 'Write an article, in Markdown; nobody reads it before it is published',
  headers: optionalIdempotencyKey,
  body: newArticle,
  replies: { 201: article },
  errors: { 404: ['not_found'], 409: ['help_address_taken', 'help_full'] },
})

const params = z.strictObject({ articleId: z.uuid() })

export const getHelpArticle = route({
  id: 'getHelpArticle',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/help/articles/{articleId}/',
  access: staff(writePermission),
  summary: 'One article as it is being written',
  params,
  replies: { 200: article },
})

export const updateHelpArticle = route({
  id: 'updateHelpArticle',
  tag: 'Staff tickets',
  method: 'PATCH',
  path: '/api/staff/help/articles/{articleId}/',
  access: staff(writePermission, 'none'),
  summary: 'Change an article',
  description:
    'Change an article. Its words are read once they are published; section, address and place change at once',
  params,
  body: z.strictObject({ section_id: z.optional(z.uuid()), slug: z.optional(slug), ...fields, version }),
  replies: { 200: article, 409: changedReply(article) },
  errors: { 404: ['not_found'], 409: ['changed', 'help_address_taken'] },
})

export const publishHelpArticle = route({
  id: 'publishHelpArticle',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/help/articles/{articleId}/publication/',
  access: staff(writePermission, 'none'),
  summary: 'Publish an article, or its next version',
  description:
    'Publish an article as it is in this `version`. It needs a title and a text in one language at least',
  params,
  body: z.strictObject({ version }),
  replies: { 200: article },
  errors: { 404: ['not_found'], 409: ['changed', 'help_published', 'help_article_empty'] },
})

export const withdrawHelpArticle = route({
  id: 'withdrawHelpArticle',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/help/articles/{articleId}/publication/',
  access: staff(writePermission, 'none'),
  summary: 'Take an article out of the help centre',
  params,
  replies: { 200: article },
})

export const deleteHelpArticle = route({
  id: 'deleteHelpArticle',
  tag: 'Staff tickets',
  method: 'DELETE',
  path: '/api/staff/help/articles/{articleId}/',
  access: staff(writePermission, 'none'),
  summary: 'Delete an article with all its versions',
  description:
    'Delete an article with its versions and votes. Its page answers 404, nothing finds it, and its address is free',
  params,
  replies: { 204: null },
})

const revision = z.strictObject({
  revision: count(),
  published_at: time(),
  title: translated(),
  text: translated(),
  keywords: translated(),
})
named('HelpRevision', revision)
export type HelpRevision = z.infer<typeof revision>

export const listHelpRevisions = route({
  id: 'listHelpRevisions',
  tag: 'Staff tickets',
  method: 'GET',
  path: '/api/staff/help/articles/{articleId}/revisions/',
  access: staff(writePermission),
  summary: 'The versions of an article that were published',
  description: 'The versions of an article that were published, the newest fifty, newest first',
  params,
  replies: { 200: z.strictObject({ items: z.array(revision) }) },
})
named('HelpRevisions', listHelpRevisions.replies[200])
