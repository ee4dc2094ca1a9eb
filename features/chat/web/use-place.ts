import { useCallback, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** As near to the end counts as being there, in px. */
export const AT_END_PX = 80

/** The first row in view, how far below the top of the box it stood, and how the box was scrolled then; all in px. */
type Place = { seq: string; top: number; scrolled: number; height: number; room: number }

/**
 * Keeps what is in view where it is, whatever comes in or goes above it: rows carry `data-seq`. At the end it keeps to
 * the end. The first look goes to the row with `data-unread`, or to the end. By hand, because browsers do it in some
 * cases only: not at the very top, and not all of them. Answers a function to call at each scroll.
 */
export function usePlace(box: RefObject<HTMLElement | null>, keepsToEnd: boolean): () => void {
  const place = useRef<Place | undefined>(undefined)
  const note = useCallback(() => {
    if (box.current) place.current = placeIn(box.current)
  }, [box])
  useLayoutEffect(() => {
    const element = box.current
    if (!element?.querySelector('[data-seq]')) return
    const before = place.current
    if (before === undefined) {
      const line = element.querySelector<HTMLElement>('[data-unread]')
      element.scrollTo({ top: line ? line.offsetTop - element.offsetTop - 80 : element.scrollHeight })
    } else if (keepsToEnd && isAtEnd(element, before)) element.scrollTo({ top: element.scrollHeight })
    else stay(element, before)
    note()
  })
  return note
}

/** The browser tells of scrolling later than it scrolls: what was scrolled since the last note stays scrolled. */
function stay(box: HTMLElement, { seq, top, scrolled }: Place): void {
  const row = box.querySelector(`[data-seq="${seq}"]`)
  if (row) box.scrollBy({ top: topOf(row, box) - top + (box.scrollTop - scrolled) })
}

/** Whether one was at the end before what is shown changed, or is now; who has just scrolled up must not be pulled back. */
function isAtEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement, { height, room }: Place): boolean {
  const below = height - scrollTop - Math.max(room, clientHeight)
  return below < AT_END_PX || scrollHeight - scrollTop - clientHeight < AT_END_PX
}

/** The first row that reaches into the box, found by halves: they stand one below the other. */
function placeIn(box: HTMLElement): Place | undefined {
  const rows = box.querySelectorAll<HTMLElement>('[data-seq]')
  let [low, high] = [0, rows.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (topOf(rows[middle]!, box) + rows[middle]!.offsetHeight > 0) high = middle
    else low = middle + 1
  }
  const row = rows[low]
  if (!row) return undefined
  const { scrollTop, scrollHeight, clientHeight } = box
  return {
    seq: row.dataset['seq'] ?? '',
    top: topOf(row, box),
    scrolled: scrollTop,
    height: scrollHeight,
    room: clientHeight,
  }
}

const topOf = (row: Element, box: Element): number =>
  row.getBoundingClientRect().top - box.getBoundingClientRect().top
