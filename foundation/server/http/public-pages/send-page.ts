import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '#foundation/locale.ts'
import type { Html } from '#foundation/server/http/html.ts'

/**
 * Public pages load their own style and the operator's logo, post their forms here, and run nothing. Programs that judge a page for search
 * engines read robots.txt by its right to connect.
 */
const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

type Sent = {
  page: Html
  locale: Locale
  /** True for a page that is the same for all who open its address: others depend on the browser's language or on its network. */
  isForAll: boolean
}

/** Sends a page without cookies. Every copy is checked by its tag, so that none is older than a minute. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { page: { text }, locale, isForAll }: Sent,
): FastifyReply {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply
    .header('content-security-policy', pagePolicy)
    .header('cache-control', isForAll ? 'public, max-age=60' : 'private, no-cache')
    .header('content-language', locale)
    .header('etag', etag)
    .type('text/html; charset=utf-8')
  if (!isForAll) reply.header('vary', 'accept-language')
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(text)
}

/** Sends a page of one visitor, which nobody keeps: a form, or the way through a payment. Its address may hold a key, which no other site gets. */
export const sendOwnPage = (
  reply: FastifyReply,
  { page, locale, status = 200 }: { page: Html; locale: Locale; status?: number },
): FastifyReply =>
  reply
    .code(status)
    .header('content-security-policy', pagePolicy)
    .header('cache-control', 'no-store')
    .header('content-language', locale)
    .header('x-robots-tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(page.text)
