import { useEffect } from 'react'
import { Announcements } from '#features/announcements/web/notices.tsx'
import { keepFocus } from '#foundation/web/keep-focus.ts'
import { OfflineBanner } from '#foundation/web/ui/offline-banner.tsx'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'

/** The notices over every page, and what watches the focus on them: one file, whose code comes after the first page has shown. */
export function Notices() {
  useEffect(keepFocus, [])
  return (
    <>
      <OfflineBanner />
      <ToastList />
      <Announcements />
    </>
  )
}
