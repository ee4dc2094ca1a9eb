/**
 * Calls that the first script (`app/web/first.js`) has begun while this code was still on its way. Each is consumed by the
 * first call with the same URL and token, and ignored after a token refresh or a change of user.
 */
type PrefetchedCalls = { token: string | null; responses: Record<string, Promise<Response>> }

declare global {
  interface Window {
    startedCalls?: PrefetchedCalls | undefined
  }
}

/** The response of a begun call, once, where it is the very call that is being made now. */
export function takePrefetchedResponse(
  method: string,
  url: string,
  token: string | null,
): Promise<Response> | undefined {
  const started = window.startedCalls
  if (method !== 'GET' || token !== started?.token) return undefined
  const response = started.responses[url]
  delete started.responses[url]
  return response
}

/** True while the first page loads with prefetched answers on their way, so that waiting a moment for them beats rendering twice. */
export const hasPrefetch = (): boolean => window.startedCalls !== undefined

/** The first page has made its calls: a begun one that it had no use for would be out of date when a later page makes it. */
export function endPrefetch(): void {
  window.startedCalls = undefined
}

/** Waits for what the page shows, but no longer than people would call it a wait. */
export async function raceWithTimeout(
  data: Promise<unknown> | undefined,
  patience_ms = PATIENCE_ms,
): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, patience_ms))
  await Promise.race([data, patience])
}

const PATIENCE_ms = 200
