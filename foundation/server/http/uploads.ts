import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

/**
 * Mounts a route that takes a file, in a Fastify scope of its own, so that all other routes still refuse multipart with 415 (rule 22).
 * Nothing is read before the handler asks for it: a caller who may not upload is refused first.
 */
export function mountUpload(server: FastifyInstance, route: RouteOptions): void {
  void server.register(async (scope) => {
    await scope.register(multipart)
    scope.addHook('onResponse', async (request) => stopReading(request))
    scope.route({ ...route, config: { body_ms: LONGEST_MS } })
  })
}

/**
 * A refusal may be sent long before the last byte has arrived. If the connection were closed at once, the answer would be lost with it, so
 * the rest of the body is discarded for some seconds before the connection is closed.
 */
function stopReading({ raw }: FastifyRequest): void {
  if (raw.complete || raw.destroyed) return
  const cut = setTimeout(() => raw.socket.destroy(), LINGER_MS)
  cut.unref()
  raw.once('close', () => clearTimeout(cut))
}

const LINGER_MS = 5_000
// 20 MB over a line of 200 kbit/s.
const LONGEST_MS = 900_000
