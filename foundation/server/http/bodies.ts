import type { FastifyInstance } from 'fastify'
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
    void parse(request, body as string, (error, value) => {
      done(error ? new Problem(400, [{ code: 'invalid_json' }]) : null, value)
    })
  })
}
