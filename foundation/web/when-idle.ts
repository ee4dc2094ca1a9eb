/**
 * Calls back once the browser has drawn the page and has nothing better to do; answers how to call it off. For what a
 * page can do without at first: on a slow phone each script that comes with the page keeps it from appearing.
 */
export function whenIdle(run: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 300)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(run, { timeout: LATEST_ms })
  return () => cancelIdleCallback(id)
}

const LATEST_ms = 1500
