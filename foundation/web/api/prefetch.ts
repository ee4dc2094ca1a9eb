/**
 * The calls that the first script (`app/web/first.js`) has begun while this code was still being loaded. The first call with the same
 * URL and token takes the response; after a token refresh or a change of user no call does.
 */
type PrefetchedCalls = { token: string | null; responses: Record<string, Promise<Response>> }

declare global {
  interface Window {
    startedCalls?: PrefetchedCalls | undefined
  }
}

/** Returns the response of the begun call with this URL and token, once; undefined if there is none. */
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

/** True while the first page loads and its answers are being prefetched: waiting a moment for them is better than rendering twice. */
export const hasPrefetch = (): boolean => window.startedCalls !== undefined

/** Forgets the begun calls once the first page has made its own: for a later page their answers would be out of date. */
export function endPrefetch(): void {
  window.startedCalls = undefined
}

/** Waits for the data of a page, but at most `patience_ms`. */
export async function raceWithTimeout(
  data: Promise<unknown> | undefined,
  patience_ms = PATIENCE_ms,
): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, patience_ms))
  await Promise.race([data, patience])
}

const PATIENCE_ms = 200
