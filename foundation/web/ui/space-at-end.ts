import { useEffect, type RefObject } from 'react'

/**
 * Adds space at the end of the page while an element that is fixed to the foot of the window is shown: else the element would cover the
 * last lines of a page that is scrolled to its end. The style sheet reads the space from `--space-at-end`.
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

/** Notes the height of an element; 0 removes it. Elements overlap or are side by side, so the highest one decides about the space. */
function keep(element: HTMLElement, height_px: number): void {
  if (height_px > 0) heights.set(element, height_px)
  else heights.delete(element)
  const { documentElement } = document
  documentElement.toggleAttribute('data-space-at-end', heights.size > 0)
  const space = heights.size > 0 ? `${Math.max(...heights.values()) + MARGIN_px}px` : ''
  documentElement.style.setProperty('--space-at-end', space)
}

/** The distance of an element to the foot of the window, or to the bar there, and the same distance to the page. */
const MARGIN_px = 32
