import { propertyOf } from '#foundation/web/property.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'

type Wish = { path: string; at_ms: number; user?: string | undefined }

/**
 * Keeps where somebody wanted to go while they sign in: a link of a mail, or the page on which the session ended. As a path of
 * the router, which never leads to another origin; in this tab alone, or in `localStorage` for a person who signs up and comes
 * back by another mail. `user` is the person whose session ended.
 */
export function keepDestination(path: string, user?: string, storage = sessionStorage): void {
  if (LEADS_NOWHERE.test(path)) return storage.removeItem(KEY)
  const wish: Wish = { path, at_ms: Date.now(), user }
  return storage.setItem(KEY, JSON.stringify(wish))
}

/** The page to go on to after signing in, given once. Undefined for another person than the one whose session ended. */
export function takeDestination(): string | undefined {
  const kept = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)
  forgetDestination()
  const wish = kept === null ? undefined : parse(kept)
  if (!wish || !isInside(wish.path) || LEADS_NOWHERE.test(wish.path)) return undefined
  if (Date.now() - wish.at_ms > KEPT_ms) return undefined
  return wish.user === undefined || wish.user === storedSession.user()?.id ? wish.path : undefined
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

function parse(text: string): Wish | undefined {
  try {
    const kept: unknown = JSON.parse(text)
    const [path, at_ms, user] = [
      propertyOf(kept, 'path'),
      propertyOf(kept, 'at_ms'),
      propertyOf(kept, 'user'),
    ]
    if (typeof path !== 'string' || typeof at_ms !== 'number') return undefined
    return { path, at_ms, user: typeof user === 'string' ? user : undefined }
  } catch {
    return undefined
  }
}
