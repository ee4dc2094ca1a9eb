import { inOneTab } from '#foundation/web/in-one-tab.ts'
import { propertyOf } from '#foundation/web/property.ts'
import { readAnswer, unreached, type AnswerStatus } from './answer.ts'
import { isSignedIn, seeSession, storeAnswer, storedSession } from './stored-session.ts'

/** The last one is the answer to show: of a server that failed, or that could not be reached. */
type Refreshed = 'renewed' | 'refused' | AnswerStatus

/**
 * Renews the token pair without the customer noticing. Refresh tokens rotate, so only one tab asks for a new pair: the others
 * wait for the lock and then find the pair in storage. If the reply is lost, the next try sends the same refresh token, and the
 * server repeats its answer (rule 43). `spent` is the access token that is no longer valid.
 */
export async function refreshTokens(spent: string | null): Promise<Refreshed> {
  if (spent === null) return 'refused'
  return inOneTab('refresh_token', async () => {
    if (!isSignedIn()) return 'refused'
    if (storedSession.accessToken() !== spent) return 'renewed'
    return askForTokens()
  })
}

/** True from 20 s before the access token ends on: renewing it then saves a refused call. */
export function expiresSoon(accessToken: string, now_ms = Date.now()): boolean {
  const expiry_s = expiryOf(accessToken)
  return expiry_s !== undefined && expiry_s * 1000 - now_ms < AHEAD_ms
}

const PATH = '/api/allauth/app/v1/tokens/refresh'
const AHEAD_ms = 20_000

async function askForTokens(): Promise<Refreshed> {
  const sent = storedSession.refreshToken()
  const seen = seeSession()
  try {
    const response = await fetch(PATH, {
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'XMLHttpRequest' },
      body: JSON.stringify({ refresh_token: sent }),
      // The other tabs wait for the lock: a reply that never comes must not hold them for good.
      signal: AbortSignal.timeout(PATIENCE_ms),
    })
    const { status, ok } = response
    const failed = ok ? undefined : await readAnswer(response)
    const { data }: Renewed = failed ? {} : await renewedIn(response)
    if (!isSignedIn()) return 'refused'
    // Without locks another tab may have renewed the pair meanwhile: its pair is the newer one.
    if (storedSession.refreshToken() !== sent) return 'renewed'
    // Only a 400 or 401 says that the token is invalid. A proxy's 502 or a limit does not, and must not end the session.
    if (!data) return status === 400 || status === 401 ? 'refused' : (failed ?? unreached)
    storeAnswer(seen, { tokens: { access: data.access_token, refresh: data.refresh_token } })
    return 'renewed'
  } catch {
    return unreached
  }
}

type Renewed = { data?: { access_token: string; refresh_token: string } }

function renewedIn(response: Response): Promise<Renewed>
function renewedIn(response: Response): Promise<unknown> {
  return response.json()
}

const PATIENCE_ms = 20_000

/** Returns `exp` of a JSON Web Token in seconds, unverified: only the server can judge a token, this merely saves a round trip. */
function expiryOf(token: string): number | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const ends = propertyOf(claims, 'exp')
    return typeof ends === 'number' ? ends : undefined
  } catch {
    return undefined
  }
}
