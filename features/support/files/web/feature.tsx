import { newTicketFiles } from '#features/support/tickets/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The file picker in the dialog of a new ticket. */
export const slots: readonly SlotEntry[] = [
  provideSlot(newTicketFiles, () => import('./ticket-files.tsx').then((file) => file.TicketFiles)),
]
