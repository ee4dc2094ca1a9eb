import { useEffect } from 'react'
import { keepFocus } from '#foundation/web/keep-focus.ts'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'

/** The toasts over every page, and what watches the focus on them: one file, whose code comes after the first page has shown. */
export function Notes() {
  useEffect(keepFocus, [])
  return <ToastList />
}
