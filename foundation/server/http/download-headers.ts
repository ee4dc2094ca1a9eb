import type { FastifyReply } from 'fastify'

/**
 * The headers of a file that is sent: whatever its bytes are, and even if somebody opens it here after all, it runs no script,
 * gets no origin and is drawn into no page of others (rule 25).
 */
export function setDownloadHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  })
}
