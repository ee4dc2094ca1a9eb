import { useEffect } from 'react'
import { keepFocus } from '#foundation/web/keep-focus.ts'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'

/** The toasts over every page, and `keepFocus`: both are in one file, which is loaded after the first page has shown. */
export function Notes() {
  useEffect(keepFocus, [])
  return <ToastList />
}
