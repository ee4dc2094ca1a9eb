import type { FastifyReply } from 'fastify'

/**
 * Sets the headers of a file download (rule 25): whatever its bytes are, and even if somebody opens it on this site, it runs no script,
 * gets no origin and is not drawn into pages of other sites.
 */
export function setDownloadHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  })
}
