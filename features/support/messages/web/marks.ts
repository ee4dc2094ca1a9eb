import { useCallback, useRef, type RefObject } from 'react'
import type { Writing } from '#features/support/messages/contract.ts'

/** The places at which a mark counts. */
const PLACES = { '/': /(^|\n)$/, '@': /(^|[\s(])$/ } as const

const isMark = (key: string): key is keyof typeof PLACES => key in PLACES

/** Hears marks while somebody writes: `/` at the beginning of a line, `@` at the beginning of a word. */
export function useMarks(text: string, field: RefObject<HTMLTextAreaElement | null>) {
  const listeners = useRef(new Map<string, () => void>())
  const onMark = useCallback<Writing['onMark']>((mark, listener) => {
    listeners.current.set(mark, listener)
    return () => void listeners.current.delete(mark)
  }, [])
  const mark = (key: string): boolean => {
    const listener = listeners.current.get(key)
    const before = text.slice(0, field.current?.selectionStart ?? 0)
    if (!listener || !isMark(key) || !PLACES[key].test(before)) return false
    listener()
    return true
  }
  return { onMark, mark }
}
