import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

const prefetch = ({ chatId = '' }: Record<string, string>) =>
  import('./hooks.ts').then((file) => file.prefetchTicket(chatId))

/** Rows. */
export const routes: readonly PageRoute[] = [
  ...[paths.ticket, paths.supportTicket].map(({ pattern }): PageRoute => ({
    path: pattern,
    page: () => import('./user-chat-page.tsx').then((file) => file.UserChatPage),
    title: m.messages_ticket,
    mobileHeader: 'spacer',
    prefetch,
  })),
  {
    path: paths.deskTicket.pattern,
    page: () => import('./staff-chat-page.tsx').then((file) => file.StaffChatPage),
    title: m.messages_ticket,
    mobileHeader: 'spacer',
    staffOnly: true,
    prefetch,
  },
]
