import type { FastifyInstance } from 'fastify'

/**
 * The content security policy of the pages: nothing but our own files, no inline script or style, no frame around us.
 * The mails at /dev/mail/ narrow it further for themselves.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types push-worker',
].join('; ')

/** Sends the headers that every answer carries, pages and data alike. */
export function addSecurityHeaders(server: FastifyInstance, { https }: { https: boolean }): void {
  const { 'content-security-policy': policy, 'x-request-id': _, ...others } = securityHeaders('', { https })
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', policy)
    reply.headers(others)
    reply.header('x-request-id', request.id)
    done()
  })
}

/** Returns the headers that every answer carries, for an answer that is written past Fastify. */
export const securityHeaders = (request_id: string, { https }: { https: boolean }) => ({
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-request-id': request_id,
  ...(https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
})
