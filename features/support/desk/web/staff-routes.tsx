import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

/** Rows R-03, G-04. The chat of a ticket is a page of the chat, with this feature's fillings around it. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.desk.pattern,
    page: () => import('./tickets-staff-page.tsx').then((file) => file.TicketsStaffPage),
    title: m.desk_title,
    staffOnly: true,
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchDesk()),
  },
]
