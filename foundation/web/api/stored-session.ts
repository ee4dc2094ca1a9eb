import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'
import { propertyOf } from '#foundation/web/property.ts'

/** The user as the account calls return it (`data.user`). The profile has more fields. */
export type StoredUser = {
  id: string
  display: string
  email?: string | undefined
  has_usable_password?: boolean | undefined
}

export type TokenPair = { access: string; refresh: string }

/** The four stored values of row A-01, read from storage each time, so that all tabs see the same. */
export const storedSession = {
  user: (): StoredUser | undefined => parseUser(localStorage.getItem('user')),
  accessToken: (): string | null => localStorage.getItem('access_token'),
  refreshToken: (): string | null => localStorage.getItem('refresh_token'),
  sessionToken: (): string | null => localStorage.getItem('session_token'),
}

/** The session that a call saw when it began (rule 57). A renewed pair of tokens leaves it the same session. */
export type SeenSession = { session_token: string | null; user_id: string | undefined; signed_in: boolean }

export const seeSession = (): SeenSession => ({
  session_token: storedSession.sessionToken(),
  user_id: storedSession.user()?.id,
  signed_in: isSignedIn(),
})

/** True while no other call, in this tab or another, has begun, changed or ended the session since it was seen. */
export function isStillSeen(seen: SeenSession): boolean {
  const { session_token, user_id, signed_in } = seeSession()
  return seen.session_token === session_token && seen.user_id === user_id && seen.signed_in === signed_in
}

/** True while the same person is signed in as was seen, or nobody as before; their tokens may have been renewed. */
export const isSamePerson = ({ user_id, signed_in }: SeenSession): boolean =>
  user_id === storedSession.user()?.id && signed_in === isSignedIn()

/** The values of an answer. Null ends the session token. */
type Stored = {
  user?: StoredUser | undefined
  session_token?: string | null | undefined
  tokens?: TokenPair | undefined
}

/**
 * Stores what an answer brings, if the session that its call saw still stands (rule 57); nothing else stores any of it. The first pair of
 * tokens signs in this tab and, by the storage event, every other; a renewed pair changes nothing else. Returns whether it stored.
 */
export function storeAnswer(seen: SeenSession, { user, session_token, tokens }: Stored): boolean {
  if (!isStillSeen(seen)) return false
  if (user) localStorage.setItem('user', JSON.stringify(user))
  if (session_token === null) localStorage.removeItem('session_token')
  else if (session_token !== undefined) localStorage.setItem('session_token', session_token)
  if (!tokens) return true
  localStorage.setItem('refresh_token', tokens.refresh)
  localStorage.setItem('access_token', tokens.access)
  if (!seen.signed_in) notifyListeners()
  return true
}

/**
 * Forgets all four values (row A-01), unless the session is another one than was seen: by the call whose answer ends it (`answer.seen`), or
 * by the person who presses a button now (`seeSession()`). Locale and theme stay.
 */
export function clearSession(seen: SeenSession): void {
  if (!isStillSeen(seen)) return
  for (const key of KEYS) localStorage.removeItem(key)
  notifyListeners()
}

export const isSignedIn = (): boolean => storedSession.accessToken() !== null

/** True between a sign-in on this page and `takeSignIn`. */
export const hasJustSignedIn = (): boolean => signedInNow

/** True at the first call after each sign-in since the page was loaded; false at the calls after it. */
export function takeSignIn(): boolean {
  const taken = signedInNow
  signedInNow = false
  return taken
}

/** Calls back whenever a token appears or goes, in this tab or in another (row A-11). */
export function onSignedInChange(listener: (signedIn: boolean) => void): () => void {
  return listeners.add(() => listener(isSignedIn()))
}

export const useSignedIn = (): boolean => useSyncExternalStore(onSignedInChange, isSignedIn)

const KEYS = ['user', 'access_token', 'refresh_token', 'session_token'] as const
const listeners = listenersOf()
let wasSignedIn = isSignedIn()
let signedInNow = false

// `key` is null if the whole storage was cleared. The event also comes for renewed tokens, which change nothing.
window.addEventListener('storage', (event) => {
  if (event.key === 'access_token' || event.key === null) notifyListeners()
})

function notifyListeners(): void {
  if (wasSignedIn === isSignedIn()) return
  wasSignedIn = !wasSignedIn
  signedInNow = wasSignedIn
  listeners.notify()
}

function parseUser(stored: string | null): StoredUser | undefined {
  if (stored === null) return undefined
  try {
    const user: unknown = JSON.parse(stored)
    return isUser(user) ? user : undefined
  } catch {
    return undefined
  }
}

const isUser = (user: unknown): user is StoredUser => typeof propertyOf(user, 'id') === 'string'
