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

export function storeUser(user: StoredUser): void {
  localStorage.setItem('user', JSON.stringify(user))
}

export function storeSessionToken(token: string): void {
  localStorage.setItem('session_token', token)
}

export function dropSessionToken(): void {
  localStorage.removeItem('session_token')
}

/** Stores a token pair. The first pair signs in this tab and, by the storage event, every other; a renewed pair changes nothing else. */
export function storeTokens(tokens: TokenPair): void {
  const before = storedSession.accessToken()
  localStorage.setItem('refresh_token', tokens.refresh)
  localStorage.setItem('access_token', tokens.access)
  if (before === null) notifyListeners()
}

/** Forgets all four values (row A-01). Locale and theme stay. */
export function clearSession(): void {
  for (const key of KEYS) localStorage.removeItem(key)
  notifyListeners()
}

export const isSignedIn = (): boolean => storedSession.accessToken() !== null

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
