import { paths } from '#features/paths.ts'
import { newTicketSecret } from '#features/support/tickets/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
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

/** The offer to send a secret apart, in the dialog of a new ticket. */
export const slots: readonly SlotEntry[] = [
  provideSlot(newTicketSecret, () => import('./new-ticket-secret.tsx').then((file) => file.NewTicketSecret)),
]

export const live = () => import('./live.ts').then((file) => file.live)
