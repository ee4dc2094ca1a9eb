import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { HttpError } from './http-error.ts'
import { hasUniqueKeys } from './unique-keys.ts'

/**
 * Accepts JSON bodies in UTF-8 only: every other type, and every other declared charset, is answered with 415. An empty body is no body, and the contract says what is missing then.
 * Three kinds of bodies are refused: those with `__proto__` or `constructor.prototype`, which could pollute an object; bytes that are no
 * UTF-8, so that exactly what was sent is stored; and a name that occurs twice, because other readers may take the other value.
 */
export function parseBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!isDeclaredUtf8(request.headers['content-type'])) {
      done(new HttpError(415, [{ code: 'unsupported_media_type' }]))
      return
    }
    if (bytes.length === 0) {
      done(null, undefined)
      return
    }
    if (typeof bytes !== 'string' && !isUtf8(bytes)) {
      done(invalidJson())
      return
    }
    const text = bytes.toString('utf8')
    texts.set(request, text)
    void parse(request, text, (error, value) => {
      done(error || !hasUniqueKeys(text) ? invalidJson() : null, value)
    })
  })
}

/** Mounts a route for programs that send what they like, such as the form of RFC 8058: the body is bounded and forgotten. */
export function mountUnread(server: FastifyInstance, options: RouteOptions): void {
  void server.register((inner, _none, done) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _bytes, parsed) =>
      parsed(null, undefined),
    )
    inner.route(options)
    done()
  })
}

/** Mounts a route that takes JSON or a form; a form with a name that occurs twice is refused, because other readers may take the other value. */
export function mountForm(server: FastifyInstance, options: RouteOptions): void {
  void server.register((inner, _none, done) => {
    inner.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MOST_OF_FORM },
      (_request, text, parsed) => {
        const fields = [...new URLSearchParams(text.toString())]
        const given = new Map(fields)
        parsed(given.size === fields.length ? null : invalidForm(), Object.fromEntries(given))
      },
    )
    inner.route(options)
    done()
  })
}

const MOST_OF_FORM = 4_096

const invalidForm = () => new HttpError(400, [{ code: 'invalid' }])

/**
 * True unless a parameter declares another charset. The bytes of `charset=utf-16` or of ISO 8859-1 may be UTF-8 by accident and mean another
 * text, and another reader of the same request, such as a firewall, would see what we do not.
 */
const isDeclaredUtf8 = (type = ''): boolean =>
  [...type.matchAll(/;[ \t]*charset[ \t]*=[ \t]*("[^"]*"|[^;]*)/gi)].every(([, charset = '']) =>
    /^("[ \t]*utf-?8[ \t]*"|utf-?8[ \t]*)$/i.test(charset),
  )

const invalidJson = () => new HttpError(400, [{ code: 'invalid_json' }])

/** Returns the body of a JSON request as it came over the wire, because a signature covers this text; '' without a body. */
export const signedText = (request: FastifyRequest): string => texts.get(request) ?? ''

// A WeakMap, so that an entry is removed with its request.
const texts = new WeakMap<FastifyRequest, string>()
