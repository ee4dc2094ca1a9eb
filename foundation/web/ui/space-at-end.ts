import { useEffect, type RefObject } from 'react'

/**
 * Keeps as much space at the end of the page as an element takes that is fixed to the foot of the window, while it is shown: else the
 * last lines of a page that is scrolled to its end would stay under it. The style sheet gives it.
 */
export function useSpaceAtEnd(element: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const shown = element.current
    if (!isShown || !shown) return undefined
    const watching = new ResizeObserver(() => keep(shown, shown.offsetHeight))
    watching.observe(shown)
    return () => {
      watching.disconnect()
      keep(shown, 0)
    }
  }, [element, isShown])
}

const heights = new Map<HTMLElement, number>()

/** Elements that are shown at once lie over each other or side by side: the highest needs the most. */
function keep(element: HTMLElement, height_px: number): void {
  if (height_px > 0) heights.set(element, height_px)
  else heights.delete(element)
  const { documentElement } = document
  documentElement.toggleAttribute('data-space-at-end', heights.size > 0)
  const space = heights.size > 0 ? `${Math.max(...heights.values()) + MARGIN_px}px` : ''
  documentElement.style.setProperty('--space-at-end', space)
}

/** The distance to the foot of the window, or to the bar there, and as much to the page. */
const MARGIN_px = 32
