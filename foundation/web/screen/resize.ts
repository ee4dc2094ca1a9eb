/**
 * Calls `listener` once the window has kept its size for `debounce_ms` (row G-03): 100 ms for changes of the layout, 50 ms for an
 * element that has to follow the size. Returns the function to unsubscribe.
 */
export function onResize(listener: () => void, debounce_ms: 100 | 50): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(listener, debounce_ms)
  }
  window.addEventListener('resize', heard)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('resize', heard)
  }
}
