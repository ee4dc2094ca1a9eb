import type { FastifyInstance } from 'fastify'
import { HttpError } from './http-error.ts'

type Known = { fits: RegExp; methods: Set<string> }

/**
 * Answers 405 with `Allow` where a path is known and the method is not, before a body is read: HEAD, OPTIONS and
 * unknown methods as well. Call it before the routes are added: it records each of them.
 */
export function refuseOtherMethods(server: FastifyInstance): void {
  const known = new Map<string, Known>()
  server.addHook('onRoute', ({ url, method }) => {
    const one = known.get(url) ?? { fits: patternOf(url), methods: new Set<string>() }
    known.set(url, one)
    for (const name of [method].flat()) one.methods.add(name)
  })
  server.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] ?? ''
    // A path that is registered without parameters decides alone: `GET /api/hosts/order/` does not ask for a host named `order`.
    const exact = known.get(path)
    const methods = exact?.methods ?? (request.is404 ? methodsAt(path, [...known.values()]) : undefined)
    if (!methods || methods.size === 0 || methods.has(request.method)) {
      done()
      return
    }
    reply.header('allow', [...methods].join(', '))
    done(new HttpError(405, [{ code: 'method_not_allowed' }]))
  })
}

const methodsAt = (path: string, known: readonly Known[]) =>
  new Set(known.filter(({ fits }) => fits.test(path)).flatMap(({ methods }) => [...methods]))

/** Returns a pattern that matches the same paths as the router does for a URL such as `/api/hosts/:hostId/` or `/account/*`. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  )
