import type { Route } from '#foundation/contract.ts'
import { loadErrorTexts } from '#foundation/web/i18n/error-text.ts'
import { readAnswer, unreached, type Answer, type AnswerStatus } from './answer.ts'
import { announceAnswer } from './events.ts'
import { refreshAhead, sendRenewed, unsent } from './renewed.ts'
import { requestFor } from './request.ts'
import { seeNow, type Answered } from './seen.ts'
import { isSamePerson, storedSession, type SeenSession } from './stored-session.ts'

type Options = {
  signal: AbortSignal
  onProgress: (share: number) => void
  query?: object
}

/**
 * Sends one file as multipart/form-data and reports its progress, from 0 to 1, which `fetch` cannot do.
 * Resolves like `call`. If `signal` aborts, the answer has the status 0 and no errors.
 */
export async function upload<const R extends Route>(
  route: R,
  file: File,
  options: Options,
): Promise<Answer<R>>
export async function upload(route: Route, file: File, options: Options): Promise<AnswerStatus & Answered> {
  const seen = seeNow()
  await refreshAhead()
  const answer = { ...(await sendSignedIn(route, file, options, seen.session)), seen }
  if (!options.signal.aborted) announceAnswer(answer, route)
  if (answer.errors.length > 0) await loadErrorTexts()
  return answer
}

/** Sends the file, and once more with a renewed access token if the token ended while the file was under way (row A-10). */
async function sendSignedIn(
  route: Route,
  file: File,
  options: Options,
  session: SeenSession,
): Promise<AnswerStatus> {
  if (!isSamePerson(session)) return unsent
  const used = storedSession.accessToken()
  const answer = await send(route, file, options)
  if (answer.status !== 401 || options.signal.aborted) return answer
  return sendRenewed(answer, used, session, () => send(route, file, options))
}

function send(route: Route, file: File, { signal, onProgress, query = {} }: Options): Promise<AnswerStatus> {
  const [url, { headers }] = requestFor(route, { query })
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(route.method, url)
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : loaded / total),
    )
    request.addEventListener('load', () => void readAnswer(responseOf(request)).then(resolve))
    request.addEventListener('error', () => resolve(unreached))
    request.addEventListener('abort', () => resolve({ ...unreached, errors: [] }))
    const giveUp = () => request.abort()
    signal.addEventListener('abort', giveUp)
    request.addEventListener('loadend', () => signal.removeEventListener('abort', giveUp))
    const form = new FormData()
    form.append('file', file, file.name)
    request.send(form)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const requestId = request.getResponseHeader('X-Request-Id')
  return new Response(request.responseText, {
    status: request.status,
    headers: requestId ? { 'X-Request-Id': requestId } : {},
  })
}
