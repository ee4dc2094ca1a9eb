import { isSignedIn, storedSession, storeTokens } from './stored-session.ts'

export type Refreshed = 'renewed' | 'refused' | 'unreachable'

/**
 * Renews the token pair without the customer noticing. Refresh tokens rotate and work once, so of all tabs only one
 * may ask: the others wait for the lock and then find the new pair in storage.
 * `spent` is the access token that no longer serves.
 */
export async function refreshTokens(spent: string | null): Promise<Refreshed> {
  if (spent === null) return 'refused'
  return withLock(async () => {
    if (!isSignedIn()) return 'refused'
    if (storedSession.accessToken() !== spent) return 'renewed'
    return askForTokens()
  })
}

/** True from shortly before the access token's end: asking first saves a refused call. */
export function expiresSoon(accessToken: string, now_ms = Date.now()): boolean {
  const expiry_s = expiryOf(accessToken)
  return expiry_s !== undefined && expiry_s * 1000 - now_ms < AHEAD_ms
}

const PATH = '/api/allauth/app/v1/tokens/refresh'
const AHEAD_ms = 20_000

async function askForTokens(): Promise<Refreshed> {
  try {
    const response = await fetch(PATH, {
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
      body: JSON.stringify({ refresh_token: storedSession.refreshToken() }),
    })
    // Only a clear no ends the session; a proxy's 502 or a limit says nothing about the token.
    if (response.status === 400 || response.status === 401) return 'refused'
    if (!response.ok) return 'unreachable'
    const { data } = (await response.json()) as { data: { access_token: string; refresh_token: string } }
    if (!isSignedIn()) return 'refused'
    storeTokens({ access: data.access_token, refresh: data.refresh_token })
    return 'renewed'
  } catch {
    return 'unreachable'
  }
}

// Without navigator.locks (plain HTTP on a foreign host name) at least the calls of this tab wait for one another.
let running: Promise<unknown> = Promise.resolve()

async function withLock(work: () => Promise<Refreshed>): Promise<Refreshed> {
  if ('locks' in navigator) return navigator.locks.request('refresh_token', work)
  const mine = running.then(work)
  running = mine
  return mine
}

/** `exp` of a JSON Web Token in seconds, unverified: the server judges, this only saves a round trip. */
function expiryOf(token: string): number | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: number }
    return claims.exp
  } catch {
    return undefined
  }
}
