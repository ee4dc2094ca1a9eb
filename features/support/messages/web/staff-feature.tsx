import { paths } from '#features/paths.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

/** Rows. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.deskTicket.pattern,
    page: () => import('./staff-chat-page.tsx').then((file) => file.StaffChatPage),
    title: m.messages_ticket,
    mobileHeader: 'spacer',
    staffOnly: true,
    prefetch: ({ chatId = '' }) => import('./hooks.ts').then((file) => file.prefetchTicket(chatId)),
  },
]
