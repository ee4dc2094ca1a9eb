import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** The distance to the end that counts as being there, in px. */
export const AT_END_PX = 80

/** The first row in view, its distance below the top of the box, and the scroll position and heights at that time; all in px. */
type ScrollAnchor = { seq: string; top: number; scrolled: number; height: number; room: number }

/**
 * The time for which the first position holds while pictures and fonts load, unless the reader moves first.
 */
const PLACING_MS = 3000

type Wanted = {
  box: RefObject<HTMLElement | null>
  /** The one element that holds all scrolled content of the box. */
  content: RefObject<HTMLElement | null>
  keepsToEnd: boolean
  /** Called once the first position no longer holds: from here on the reader scrolls. */
  onPlaced: () => void
  /** Called if the content is not higher than the box; it stays the same function. */
  onAllInView: () => void
}

/**
 * Keeps the visible rows (with `data-seq`) in place when content above is added, removed or grows late, or when the box
 * shrinks (a keyboard, a turned phone). A box at its end stays at the end. The first position is the row with
 * `data-unread`, or the end, and is held until the first input. This is done by hand, because not all browsers do it,
 * and none at the very top. Returns `note`, to be called at each scroll; `isPlacing`: true while the first position
 * holds; and `isAtNotedEnd`: true while the box is at the end that it last had.
 */
export function useScrollAnchor({ box, content, keepsToEnd, onPlaced, onAllInView }: Wanted) {
  const place = useRef<ScrollAnchor | undefined>(undefined)
  // The position that opening the ticket gave the box; undefined once the reader has taken over.
  const placing = useRef<number | undefined>(-1)
  const note = useCallback(() => {
    if (box.current) place.current = placeIn(box.current)
  }, [box])
  /**
   * True while the box is at the position set when the ticket was opened. A screen reader scrolls the box without
   * any input event.
   */
  const isPlacing = useCallback((): boolean => {
    const put = placing.current
    if (put === undefined) return false
    if (put < 0 || Math.abs((box.current?.scrollTop ?? put) - put) < 2) return true
    placing.current = undefined
    return false
  }, [box])
  const settle = useCallback(() => {
    const element = box.current
    if (!element?.querySelector('[data-seq]')) return
    if (element.scrollHeight <= element.clientHeight) onAllInView()
    if (isPlacing()) placing.current = putFirst(element)
    else if (place.current === undefined) return
    else if (keepsToEnd && isAtEnd(element, place.current)) element.scrollTo({ top: element.scrollHeight })
    else stay(element, place.current)
    note()
  }, [box, keepsToEnd, note, isPlacing, onAllInView])
  useLayoutEffect(settle)
  useEffect(() => {
    const [element, inner] = [box.current, content.current]
    if (!element || !inner) return undefined
    const sizeOf = () => `${element.clientWidth}×${element.clientHeight}×${inner.clientHeight}`
    let size = sizeOf()
    // The observer is called with the initial size, too, a frame later: a reader who has scrolled by then stays there.
    const watch = new ResizeObserver(() => {
      if (size !== sizeOf()) settle()
      size = sizeOf()
    })
    watch.observe(element)
    watch.observe(inner)
    return () => watch.disconnect()
  }, [box, content, settle])
  const placed = useEffectEvent(onPlaced)
  useEffect(() => {
    const over = new AbortController()
    const end = () => {
      over.abort()
      if (placing.current === undefined) return
      placing.current = undefined
      note()
      placed()
    }
    for (const input of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
      window.addEventListener(input, end, { signal: over.signal, capture: true, passive: true })
    const timer = setTimeout(end, PLACING_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [note])
  /** True while the box is at the end that was noted last, whatever has grown below since. */
  const isAtNotedEnd = (): boolean =>
    box.current !== null && place.current !== undefined && isAtFormerEnd(box.current, place.current)
  return { note, isPlacing, isAtNotedEnd }
}

/** Scrolls the box to the first position, and returns the resulting `scrollTop`. */
function putFirst(box: HTMLElement): number {
  const line = box.querySelector('[data-unread]')
  box.scrollTo({ top: line ? box.scrollTop + topOf(line, box) - ABOVE_UNREAD_PX : box.scrollHeight })
  return box.scrollTop
}

/** The height above the line of unread messages in which some read messages stay in view. */
const ABOVE_UNREAD_PX = 80

/** Moves the anchor row back to its place. The browser reports scrolling late: scrolling since the last event is kept. */
function stay(box: HTMLElement, { seq, top, scrolled }: ScrollAnchor): void {
  const row = box.querySelector(`[data-seq="${seq}"]`)
  if (row) box.scrollBy({ top: topOf(row, box) - top + (box.scrollTop - scrolled) })
}

/**
 * True if the reader was at the end before the list changed, or is now; a reader who just scrolled up must
 * not be pulled back.
 */
function isAtEnd(box: HTMLElement, place: ScrollAnchor): boolean {
  const { scrollTop, clientHeight, scrollHeight } = box
  return isAtFormerEnd(box, place) || scrollHeight - scrollTop - clientHeight < AT_END_PX
}

const isAtFormerEnd = ({ scrollTop, clientHeight }: HTMLElement, { height, room }: ScrollAnchor): boolean =>
  height - scrollTop - Math.max(room, clientHeight) < AT_END_PX

/** Returns the first row that reaches into the box, found by bisection: the rows are in order from top to bottom. */
function placeIn(box: HTMLElement): ScrollAnchor | undefined {
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
