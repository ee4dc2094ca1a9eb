/**
 * Calls back once the browser has drawn the page and has nothing better to do; answers how to call it off. For what a
 * page can do without at first: on a slow phone each script that comes with the page keeps it from appearing.
 */
export function whenIdle(run: () => void): () => void {
  let callOff = () => {}
  const drawn = () => {
    stopWaiting()
    callOff = atRest(run)
  }
  // The browser may be at rest before it draws, too. In the background it draws nothing.
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
