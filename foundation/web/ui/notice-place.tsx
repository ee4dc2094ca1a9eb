import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

/** The place of announcements on a page: after its heading, so that who is led to the heading hears them next. */
export const NoticePlace = () => <div ref={take} className="contents" />

/** Returns the element of the present page that takes announcements; null while the page loads, and outside of the shell. */
export const noticePlace = (): HTMLElement | null => [...places][0] ?? null

/** Renders again when the place changes. A layout effect reads it by `noticePlace`: the first page may have one by then. */
export const useNoticePlace = (): HTMLElement | null => useSyncExternalStore(listeners.add, noticePlace)

/** The places on the page, in the order of the document. A page within a page has one of its own. */
const places = new Set<HTMLElement>()
const listeners = listenersOf()

function take(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined
  places.add(element)
  listeners.notify()
  return () => {
    places.delete(element)
    listeners.notify()
  }
}
