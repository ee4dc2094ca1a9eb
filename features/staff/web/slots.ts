import { besideChat, composerTools } from '#features/chat/contract.ts'
import { ticketActs } from '#features/tickets/contract.ts'
import { fill } from '#foundation/web/slots.tsx'

/** What staff find around a conversation (row R-03). */
export const fillings = [
  fill(ticketActs, () => import('./ticket-actions.tsx').then((file) => file.TicketActs)),
  fill(besideChat, () => import('./customer-card.tsx').then((file) => file.CardBeside)),
  fill(composerTools, () => import('./canned-replies.tsx').then((file) => file.CannedReplies)),
]
