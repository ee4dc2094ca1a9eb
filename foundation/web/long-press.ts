const LONG_ms = 500
const STILL_px = 10

/** Calls `run` when a finger stays on a row; keyboards and screen readers use the row's box instead. Returns a function that stops this. */
export function onLongPress(row: HTMLElement, run: () => void): () => void {
  let timer: number | undefined
  let from = { x: 0, y: 0 }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const begin = ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
    if (pointerType !== 'touch') return
    stop()
    from = { x, y }
    timer = window.setTimeout(() => {
      // The finger is lifted over the link of the row, which must not be followed.
      row.addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => row.removeEventListener('click', swallow, { capture: true }), LONG_ms * 4)
      run()
    }, LONG_ms)
  }
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - from.x, clientY - from.y) > STILL_px) stop()
  }
  // Without this the browser opens the context menu of the link.
  const menu = (event: Event) => {
    if (timer !== undefined) event.preventDefault()
  }
  const heard = new AbortController()
  const { signal } = heard
  row.addEventListener('pointerdown', begin, { signal })
  row.addEventListener('pointermove', move, { signal })
  row.addEventListener('pointerup', stop, { signal })
  row.addEventListener('pointercancel', stop, { signal })
  row.addEventListener('contextmenu', menu, { signal })
  return () => {
    stop()
    heard.abort()
  }
}

function swallow(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
