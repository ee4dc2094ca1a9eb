import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

const load = () => import('./pages.tsx')

/** The places of features that are still to come: each says what it will be for, and that it is empty. */
export const routes: readonly PageRoute[] = [
  {
    path: '/staff-tickets',
    page: () => load().then((file) => file.TicketsStaffPage),
    title: m.shell_tickets,
    staffOnly: true,
  },
]
