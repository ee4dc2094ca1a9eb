import { besideChat, composerTools } from '#features/support/messages/slots.ts'
import { ticketActs } from '#features/support/tickets/slots.ts'
import { provideSlot } from '#foundation/web/slots.tsx'

/** Fills the slots around a conversation with the tools of staff (row R-03). */
export const slots = [
  provideSlot(ticketActs, () => import('./ticket-actions.tsx').then((file) => file.TicketActions)),
  provideSlot(besideChat, () => import('./customer-card.tsx').then((file) => file.CardBeside)),
  provideSlot(composerTools, () => import('./canned-replies.tsx').then((file) => file.CannedReplies)),
]
