import { useEffect } from 'react'
import { Bells } from '#features/notifications/web/bells.tsx'
import { toast } from '#foundation/web/toasts/toasts.ts'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'
import { m } from '#texts/messages.js'

/** The toasts over every page and the bell in its frame, whose code is loaded after the first page has shown. */
export function Notes() {
  useEffect(tellOfLostStorage, [])
  return (
    <>
      <ToastList />
      <Bells />
    </>
  )
}

/** Says so where the browser keeps nothing, from the start or since its disk is full (rule 56, theme.js). */
function tellOfLostStorage(): () => void {
  const tell = () => void toast({ message: m.shell_unkept, closeable: true })
  if ('unkept' in document.documentElement.dataset) tell()
  window.addEventListener('unkept', tell)
  return () => window.removeEventListener('unkept', tell)
}
