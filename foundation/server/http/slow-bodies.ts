import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerUnreadable } from './client-error-handler.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route's own setting: how long its body may take to come, in ms. */
    body_ms?: number
  }
}

/**
 * Answers 408 and closes the connection if a body takes longer to come than `most_ms`, or than the `body_ms` of the route. Node's own limit
 * is one for all routes, and a file over a slow line takes minutes. The attack is a body of a byte a minute: some thousands of them would
 * hold all sockets.
 */
export function limitBodyTime(server: FastifyInstance, { most_ms = 30_000 } = {}): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request
    done()
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    const { body_ms = most_ms } = request.routeOptions.config
    const timer = setTimeout(() => {
      // A request may have lost its connection, or never had one: then there is nothing to close, and that must not end the process.
      if (!raw.complete && raw.socket instanceof Socket)
        answerUnreadable(
          Object.assign(new Error('slow body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
          raw.socket,
        )
    }, body_ms)
    timer.unref()
    raw.once('close', () => clearTimeout(timer))
  })
}
