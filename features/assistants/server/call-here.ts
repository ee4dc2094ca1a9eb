import type { FastifyRequest } from 'fastify'
import type { Route } from '#foundation/contract.ts'

type Wanted = { method: Route['method']; url: string; body?: unknown; headers: Record<string, string> }
type Answered = { status: number; text: string; code: string | undefined }

/** The headers of a request by which its caller is known. */
const OF_CALLER = [
  'authorization',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
  'accept-language',
  'host',
] as const

/**
 * Makes another call of the caller of a request, inside this process: by the same server, and so by the same path of access, limits,
 * input, handler and checked reply as every call of theirs.
 */
export async function callHere(request: FastifyRequest, wanted: Wanted): Promise<Answered> {
  const { method, url, body, headers } = wanted
  const known = OF_CALLER.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const answer = await request.server.inject({
    method,
    url,
    headers: { ...Object.fromEntries(known), ...headers },
    ...(request.socket.remoteAddress && { remoteAddress: request.socket.remoteAddress }),
    ...(method !== 'GET' && { payload: typeof body === 'object' && body !== null ? body : {} }),
  })
  return { status: answer.statusCode, text: answer.body, code: codeIn(answer.body) }
}

function codeIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const errors: unknown = Reflect.get(Object(body), 'errors')
    const code: unknown = Array.isArray(errors) ? Reflect.get(Object(errors[0]), 'code') : undefined
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}
