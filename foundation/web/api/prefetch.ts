/**
 * A call that the first script (`app/web/first.js`) has begun while this code was still on its way. It is consumed
 * by the first call with the same URL and token, and ignored after a token refresh or a change of user.
 */
type PrefetchedCall = { url: string; token: string | null; response: Promise<Response> }

declare global {
  interface Window {
    startedCall?: PrefetchedCall | undefined
  }
}

/** The response of the begun call, once, where it is the very call that is being made now. */
export function takePrefetchedResponse(
  method: string,
  url: string,
  token: string | null,
): Promise<Response> | undefined {
  const started = window.startedCall
  if (!started || method !== 'GET' || url !== started.url) return undefined
  window.startedCall = undefined
  return token === started.token ? started.response : undefined
}

/** True where a prefetched answer is on its way, so that waiting a moment for it beats rendering twice. */
export const hasPrefetch = (): boolean => window.startedCall !== undefined

/** Waits for what the page shows, but no longer than people would call it a wait. */
export async function raceWithTimeout(
  data: Promise<unknown> | undefined,
  patience_ms = PATIENCE_ms,
): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, patience_ms))
  await Promise.race([data, patience])
}

const PATIENCE_ms = 200
