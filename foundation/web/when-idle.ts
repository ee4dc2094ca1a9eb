/**
 * Calls `run` once the browser has drawn the page and is idle. Returns a function that cancels the call. It is for work that a page
 * can do without at first: on a slow phone each script that comes with the page delays its appearance.
 */
export function whenIdle(run: () => void): () => void {
  let callOff = () => {}
  const drawn = () => {
    stopWaiting()
    callOff = atRest(run)
  }
  // The browser may also be idle before it draws. A tab in the background is not drawn, so a timer limits the wait.
  const frame = requestAnimationFrame(drawn)
  const timer = setTimeout(drawn, LATEST_ms)
  const stopWaiting = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
  return () => {
    stopWaiting()
    callOff()
  }
}

function atRest(run: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, 300)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(run, { timeout: LATEST_ms })
  return () => cancelIdleCallback(id)
}

const LATEST_ms = 1500
