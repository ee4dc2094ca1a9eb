import { Announcements } from '#features/announcements/web/notices.tsx'
import { OfflineBanner } from '#foundation/web/ui/offline-banner.tsx'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'

/** The notices over every page: one file, whose code comes after the first page has shown. */
export function Notices() {
  return (
    <>
      <OfflineBanner />
      <ToastList />
      <Announcements />
    </>
  )
}
