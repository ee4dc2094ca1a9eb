import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

/** Rows R-03, G-04. The chat of a ticket is a page of the chat, with this feature's fillings around it. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.desk.pattern,
    page: () => import('./tickets-staff-page.tsx').then((file) => file.TicketsStaffPage),
    staffOnly: true,
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchDesk()),
  },
]
