import { setTimeout as sleep } from 'node:timers/promises'
import type { Access } from './access.ts'
import { TryLater, Failure } from './failures.ts'
import { exitCodes } from '#foundation/exit-codes.ts'
import { refusalOf } from './refusal.ts'

/** A request to the API. `path` begins with /api/; `body` is sent as JSON, unless it is a form with a file. */
export type Request = {
  method: string
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
  key?: string
}

/** How long a command may wait altogether, and where it says that it waits. */
export type Patience = { wait_s: number; say(line: string): void }

/** The time in which an answer must begin. */
const BEGINS_MS = 60_000

/**
 * Makes a call and returns its answer, whose status is below 300. It waits and asks again if the answer names a time for that, and
 * nothing happened that a second request would do twice. Throws Failure with the errors of the API, and TryLater where nobody answers.
 */
export async function ask(access: Access, request: Request, { wait_s, say }: Patience): Promise<Response> {
  let left_s = wait_s
  for (;;) {
    const response = await send(access, request)
    if (response.status >= 300 && response.status < 400) throw redirected(response, access)
    if (response.ok) return response
    const pause_s = pauseOf(response, request)
    if (pause_s === undefined || pause_s > left_s) throw await refusalOf(response)
    left_s -= pause_s
    await response.body?.cancel()
    say(`The server asks to wait ${pause_s} s (${response.status}).`)
    await sleep(pause_s * 1000)
  }
}

async function send(access: Access, { method, path, query = {}, body, key }: Request): Promise<Response> {
  const url = new URL(path, access.origin)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  const isForm = body instanceof FormData
  const beginning = new AbortController()
  const timer = setTimeout(() => beginning.abort(), BEGINS_MS)
  try {
    return await fetch(url, {
      method,
      // A redirect would carry the token to an address that nobody has chosen.
      redirect: 'manual',
      signal: beginning.signal,
      headers: {
        authorization: `Bearer ${access.token}`,
        accept: 'application/json, */*;q=0.5',
        'accept-language': 'en',
        'user-agent': access.agent,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
  } catch (error) {
    throw new TryLater(`${access.origin} does not answer: ${causeOf(error)}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the seconds after which the same request may be made again; undefined if it may not, or nobody says when. */
function pauseOf({ status, headers }: Response, { method, key }: Request): number | undefined {
  const isTwiceTheSame = method !== 'POST' && method !== 'PATCH'
  // A limit refuses before anything happens. Behind a 503 something may have: a key tells the server that it is the same request.
  if (status !== 429 && !(status === 503 && (isTwiceTheSame || key !== undefined))) return undefined
  const told = headers.get('retry-after')
  if (told === null) return undefined
  const pause_s = /^\d+$/.test(told) ? Number(told) : Math.ceil((Date.parse(told) - Date.now()) / 1000)
  return Number.isFinite(pause_s) ? Math.max(pause_s, 1) : undefined
}

const redirected = (response: Response, { origin }: Access) =>
  new Failure(
    `${origin} leads on to ${response.headers.get('location') ?? 'another address'}. If that is yours, run: hostdeskctl login ADDRESS`,
    exitCodes.failed,
  )

function causeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError') return 'not within a minute'
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
