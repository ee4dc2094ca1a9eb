import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/**
 * JSON only; every other type is 415. An empty body is no body: the contract says what is missing then. `__proto__`
 * and `constructor.prototype` are refused at once, so that no object can be polluted on the way.
 */
export function parseBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') {
      done(null, undefined)
      return
    }
    texts.set(request, body as string)
    void parse(request, body as string, (error, value) => {
      done(error ? new Problem(400, [{ code: 'invalid_json' }]) : null, value)
    })
  })
}

/** The body as it came over the wire, of a JSON request: what a signature was made over. '' where there was none. */
export const signedText = (request: FastifyRequest): string => texts.get(request) ?? ''

// Goes with its request.
const texts = new WeakMap<FastifyRequest, string>()
