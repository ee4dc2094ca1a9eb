import { storedSession } from '#foundation/web/api/stored-session.ts'

/**
 * Keeps the page that a person wanted to open while they sign in: the target of a link in a mail, or the page on which the session
 * ended. It is kept as a path of the router, which never leads to another origin, for this tab only, or in `localStorage` for a person
 * who signs up and comes back by the link of another mail. `user` is the id of the person whose session ended.
 */
export function keepDestination(path: string, user = '', storage = sessionStorage): void {
  if (LEADS_NOWHERE.test(path)) return storage.removeItem(KEY)
  const wish = new URLSearchParams({ path, at_ms: String(Date.now()), user })
  return storage.setItem(KEY, String(wish))
}

/** Returns the path of the kept page, once; undefined if it was kept for another person, or more than an hour ago. */
export function takeDestination(): string | undefined {
  const wish = new URLSearchParams(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? '')
  forgetDestination()
  const [path, user] = [wish.get('path') ?? '', wish.get('user')]
  const isRecent = Date.now() - Number(wish.get('at_ms')) < KEPT_ms
  if (!isRecent || !isInside(path) || LEADS_NOWHERE.test(path)) return undefined
  return !user || user === storedSession.user()?.id ? path : undefined
}

export function forgetDestination(): void {
  sessionStorage.removeItem(KEY)
  localStorage.removeItem(KEY)
}

const KEY = 'return_to'
/** A page is kept for an hour only, because later another person may use the device. */
const KEPT_ms = 3_600_000
const LEADS_NOWHERE = /^\/?(?:auth|logout)?\/?(?:[?#]|$)/u

// The attack is an open redirect: a kept text that the browser would read as another host.
const isInside = (path: string): boolean => /^\/(?![/\\])/u.test(path)
