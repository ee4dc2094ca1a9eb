import type { InputOf, Route } from '#foundation/contract.ts'
import { READ_AFTER } from '#foundation/read-after.ts'
import { loadErrorTexts } from '#foundation/web/i18n/error-text.ts'
import type { Answer, AnswerStatus } from './answer.ts'
import { readAnswer, unreached } from './answer.ts'
import { announceAnswer } from './events.ts'
import { inOrder } from './in-order.ts'
import { refreshAhead, sendRenewed, unsent } from './renewed.ts'
import { noteWriting, noteWritten } from './read-after.ts'
import { requestFor } from './request.ts'
import { seeNow, type Answered } from './seen.ts'
import { isSamePerson, seeSession, storeAnswer, storedSession, type SeenSession } from './stored-session.ts'

export type CallOptions = {
  signal?: AbortSignal
  /** True if the browser must finish the request also if the user leaves the page. */
  keepalive?: boolean
  /** A 401 is an answer here, not the end of the session (row P-01: deactivation). */
  expects401?: boolean
  /** The session token to send instead of the stored one; null sends none. The token of the answer is the caller's, and is not stored. */
  sessionToken?: string | null | undefined
}

/**
 * Calls a route and resolves to a union by `status`: the replies that the contract declares have their bodies, and every
 * refusal has `errors`. If the server cannot be reached, `status` is 0. Rejects only if `signal` aborts.
 */
export async function call<const R extends Route>(route: R, ...given: Arguments<R>): Promise<Answer<R>>
// The server has checked each reply against its contract. The browser does not, because the schemas are large.
export async function call(route: Route, input?: object, options?: CallOptions): Promise<AnswerStatus> {
  return callAny(route, input, options)
}

/** Like `call`, for a route whose type is known only at run time. */
export const callAny = (
  route: Route,
  input?: object,
  options?: CallOptions,
): Promise<AnswerStatus & Answered> => callText(route, input ?? {}, readAnswer, options)

/** Like `call`, for a reply that is not JSON: `read` makes the answer from the response. */
export async function callText(
  route: Route,
  input: Parts,
  read: Read,
  options: CallOptions = {},
): Promise<AnswerStatus & Answered> {
  const { method, path } = route
  const session = seeSession()
  const ask = () => send(route, input, read, options, session)
  // Only changes of one thing are sent in order. A POST makes a new thing, and a call from a page that is being left cannot wait.
  const isChange = method !== 'GET' && method !== 'POST' && !options.keepalive
  const answer = await (isChange ? inOrder(path + JSON.stringify(input.params), ask) : ask())
  announceAnswer(answer, route)
  if (answer.errors.length > 0) await loadErrorTexts()
  return answer
}

type Read = (response: Response) => Promise<AnswerStatus>

type Arguments<R extends Route> =
  Record<string, never> extends InputOf<R>
    ? [input?: InputOf<R>, options?: CallOptions]
    : [input: InputOf<R>, options?: CallOptions]

type Parts = { params?: object; query?: object; headers?: object; body?: unknown }

async function send(
  route: Route,
  input: Parts,
  read: Read,
  options: CallOptions,
  session: SeenSession,
): Promise<AnswerStatus & Answered> {
  await refreshAhead()
  const seen = seeNow(session)
  const isAuth = route.style === 'auth'
  // Another person is signed in since the call began, or nobody: it must not be sent in the name of that person.
  if (!isAuth && !isSamePerson(session)) return { ...unsent, seen }
  const used = storedSession.accessToken()
  const answer = await exchange(route, input, read, options)
  if (isAuth) {
    const isStored = settleAuth(answer, session, options.sessionToken === undefined)
    // The session that the answer has stored itself is no other one.
    return { ...answer, seen: isStored ? seeNow() : seen }
  }
  if (answer.status !== 401 || options.expects401) return { ...answer, seen }
  return { ...(await sendRenewed(answer, used, session, () => exchange(route, input, read, options))), seen }
}

async function exchange(
  route: Route,
  input: Parts,
  read: Read,
  { signal, keepalive, sessionToken }: CallOptions,
): Promise<AnswerStatus> {
  const isWrite = route.method !== 'GET'
  let response: Response | undefined
  try {
    const [url, request] = requestFor(route, input, sessionToken)
    if (isWrite) noteWriting()
    response = await fetch(url, { ...request, ...(signal && { signal }), ...(keepalive && { keepalive }) })
    return await read(response)
  } catch (error) {
    if (signal?.aborted) throw error
    return unreached
  } finally {
    if (isWrite) noteWritten(response?.headers.get(READ_AFTER))
  }
}

type AuthBody = {
  data?: { user?: { id: string; display: string; email?: string } }
  meta?: {
    is_authenticated?: boolean
    session_token?: string
    access_token?: { access: string; refresh: string }
  }
}

/**
 * Stores each token that an account call returns, whatever the status, while the session that the call saw still stands. Drops the session
 * token on a 410, which says that it is dead. A call with a token of its own stores a session only once somebody is signed in. Returns
 * whether it stored.
 */
function settleAuth(answer: AnswerStatus, seen: SeenSession, isOfStored: boolean): boolean {
  const { data, meta } = (answer.body ?? {}) as AuthBody
  if (!isOfStored && !meta?.access_token) return false
  const dead = answer.status === 410 ? null : undefined
  return storeAnswer(seen, {
    user: meta?.is_authenticated ? data?.user : undefined,
    session_token: meta?.session_token ?? dead,
    tokens: meta?.access_token,
  })
}
