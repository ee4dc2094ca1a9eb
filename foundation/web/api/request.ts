import type { Route } from '#foundation/contract.ts'
import { BEGINNING, READ_AFTER } from '#foundation/read-after.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { newId } from '#foundation/web/new-id.ts'
import { readAfter } from './read-after.ts'
import { storedSession } from './stored-session.ts'

/** The id of this page until it is loaded anew. By it the page recognises its own events, and the server the stream that it replaces. */
export const tabId = newId()

/** Returns the address and the request of a call, with the headers of row A-12. */
export function requestFor(
  route: Route,
  input: { params?: object; query?: object; headers?: object; body?: unknown },
  session = storedSession.sessionToken(),
): [string, RequestInit] {
  const headers = new Headers(input.headers ? Object.entries(input.headers) : undefined)
  headers.set('Accept', 'application/json')
  headers.set('X-Requested-With', 'XMLHttpRequest')
  // The language of the page, not of the browser: the mail after a sign-up is written in it.
  headers.set('Accept-Language', currentLocale())
  headers.set('X-Tab-Id', tabId)
  // A write always sends the header, so that its answer names the position of the write.
  const known = route.method === 'GET' ? readAfter() : BEGINNING
  if (known !== undefined) headers.set(READ_AFTER, known)
  const csrf = cookie('csrftoken')
  if (csrf) headers.set('X-CSRFToken', csrf)
  const access = storedSession.accessToken()
  if (access) headers.set('Authorization', `Bearer ${access}`)
  // The session token goes with all account calls: signing out with only an expired access token would leave the session alive.
  if (session && route.style === 'auth') headers.set('X-Session-Token', session)

  // Data of an account must not stay in the browser's cache, where the next person at this screen could find it.
  const request: RequestInit = { method: route.method, headers, credentials: 'include', cache: 'no-store' }
  if (input.body !== undefined) {
    headers.set('Content-Type', 'application/json')
    request.body = JSON.stringify(input.body)
  }
  return [addressOf(route.path, input), request]
}

function addressOf(path: string, input: { params?: object; query?: object }): string {
  const params = Object.entries(input.params ?? {})
  const filled = params.reduce(
    (address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.append(name, String(value))
  }
  return query.size > 0 ? `${filled}?${query.toString()}` : filled
}

function cookie(name: string): string | undefined {
  const entry = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return entry === undefined ? undefined : decodeURIComponent(entry.slice(name.length + 1))
}
