import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'

/** Rows R-03, G-04. The page of one ticket belongs to features/support/messages; the desk only fills the slots around its chat. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.desk.pattern,
    page: () => import('./tickets-staff-page.tsx').then((file) => file.TicketsStaffPage),
    staffOnly: true,
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchDesk()),
  },
]
