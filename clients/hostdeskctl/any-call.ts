import { randomUUID } from 'node:crypto'
import type { Request } from './ask.ts'
import type { Context } from './context.ts'
import { WrongUse } from './failures.ts'
import { bodyIn } from './files.ts'
import { saveOrSend } from './make-call.ts'

type Options = { body?: string; query?: string[]; idempotencyKey?: string; output?: string }

/** `api METHOD PATH`: any call of the API by the kept token, and its answer as it came. Throws Failure. */
export async function anyCall(
  context: Context,
  method: string,
  path: string,
  options: Options,
): Promise<void> {
  const { body, query = [], idempotencyKey = randomUUID(), output } = options
  const access = context.access()
  const verb = method.toUpperCase()
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(verb))
    throw new WrongUse(`'${method}' is no method: GET, POST, PUT, PATCH or DELETE.`)
  // The attack is a path that names another server, to which the token would go.
  if (!path.startsWith('/api/') || new URL(path, access.origin).origin !== access.origin)
    throw new WrongUse(`'${path}' is no path of the API: it begins with /api/.`)
  const request: Request = {
    method: verb,
    path,
    query: Object.fromEntries(query.map(pairOf)),
    ...(body === undefined ? {} : { body: await bodyIn(body) }),
    ...(verb === 'POST' ? { key: idempotencyKey } : {}),
  }
  const response = await context.ask(request, access)
  const type = response.headers.get('content-type') ?? ''
  if (response.status === 204) return
  if (!type.includes('json') || output !== undefined) return saveOrSend(response, output, context)
  context.write(await response.json())
}

function pairOf(typed: string): [string, string] {
  const at = typed.indexOf('=')
  if (at < 1) throw new WrongUse(`--query takes NAME=VALUE, and not '${typed}'.`)
  return [typed.slice(0, at), typed.slice(at + 1)]
}
