import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

const load = () => import('./pages.tsx')

/** The places of features that are still to come: each says what it will be for, and that it is empty. */
export const routes: readonly PageRoute[] = [
  ...['/tickets', '/support'].map((path): PageRoute => ({
    path: `${path}/$chatId`,
    page: () => load().then((file) => file.UserChatPage),
    title: m.soon_chat,
    mobileHeader: 'spacer',
  })),
  {
    path: '/staff-tickets',
    page: () => load().then((file) => file.TicketsStaffPage),
    title: m.shell_tickets,
    staffOnly: true,
  },
  {
    path: '/staff-tickets/$chatId',
    page: () => load().then((file) => file.StaffChatPage),
    title: m.soon_chat,
    mobileHeader: 'spacer',
    staffOnly: true,
  },
]
