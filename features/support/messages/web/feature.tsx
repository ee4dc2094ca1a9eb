import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

/** Rows. */
export const routes: readonly PageRoute[] = [paths.ticket, paths.supportTicket].map(({ pattern }) => ({
  path: pattern,
  page: () => import('./user-chat-page.tsx').then((file) => file.UserChatPage),
  title: m.messages_ticket,
  mobileHeader: 'spacer',
  prefetch: ({ chatId = '' }) => import('./hooks.ts').then((file) => file.prefetchTicket(chatId)),
}))

export const live = () => import('./live.ts').then((file) => file.live)
