import Inbox from 'lucide-react/icons/inbox'
import { paths } from '#features/paths.ts'
import { besideChat, composerTools, noteText } from '#features/support/messages/slots.ts'
import { ticketActs } from '#features/support/tickets/slots.ts'
import type { StaffPageRoute } from '#foundation/web/pages.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { m } from '#texts/messages.js'

/** Rows R-03, G-04. The page of one ticket belongs to features/support/messages; the desk only fills the slots around its chat. */
export const routes: readonly StaffPageRoute[] = [
  {
    path: paths.desk.pattern,
    page: () => import('./tickets-staff-page.tsx').then((file) => file.TicketsStaffPage),
    staffOnly: true,
    menu: { text: m.shell_tickets, icon: Inbox, keys: 'g a' },
    prefetch: () => import('./hooks.ts').then((file) => file.prefetchDesk()),
  },
]

/** Fills the slots around a conversation with the tools of staff (row R-03). */
export const slots: readonly SlotEntry[] = [
  provideSlot(ticketActs, () => import('./ticket-actions.tsx').then((file) => file.TicketActions)),
  provideSlot(besideChat, () => import('./customer-card.tsx').then((file) => file.CardBeside)),
  provideSlot(composerTools, () => import('./canned-replies.tsx').then((file) => file.CannedReplies)),
  provideSlot(composerTools, () => import('./mentions.tsx').then((file) => file.Mentions)),
  provideSlot(noteText, () => import('./note-text.tsx').then((file) => file.NoteText)),
]

export { live } from './live.ts'
