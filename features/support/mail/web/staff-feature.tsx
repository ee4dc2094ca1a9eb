import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

/** The page of held mails; the list of tickets leads to it. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.heldMails.pattern,
    page: () => import('./held-mails-page.tsx').then((file) => file.HeldMailsPage),
    staffOnly: true,
  },
  {
    path: paths.blockedSenders.pattern,
    page: () => import('./blocked-senders-page.tsx').then((file) => file.BlockedSendersPage),
    staffOnly: true,
  },
]
