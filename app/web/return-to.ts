import { storedSession } from '#foundation/web/api/stored-session.ts'

/**
 * Keeps where somebody wanted to go while they sign in: a link of a mail, or the page on which the session ended. As a path of
 * the router, which never leads to another origin; in this tab alone, or in `localStorage` for a person who signs up and comes
 * back by another mail. `user` is the person whose session ended.
 */
export function keepDestination(path: string, user = '', storage = sessionStorage): void {
  if (LEADS_NOWHERE.test(path)) return storage.removeItem(KEY)
  const wish = new URLSearchParams({ path, at_ms: String(Date.now()), user })
  return storage.setItem(KEY, String(wish))
}

/** The page to go on to after signing in, given once. Undefined for another person than the one whose session ended. */
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
/** The person at this device in the evening may be another one than in the morning. */
const KEPT_ms = 3_600_000
const LEADS_NOWHERE = /^\/?(?:auth|logout)?\/?(?:[?#]|$)/u

// The attack is an open redirect: a kept text that the browser would read as another host.
const isInside = (path: string): boolean => /^\/(?![/\\])/u.test(path)
