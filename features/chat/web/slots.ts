import { newTicketFiles } from '#features/tickets/contract.ts'
import { fill, type Filling } from '#foundation/web/slots.tsx'

/** Where files are picked in the dialog of a new ticket. */
export const ticketFiles: Filling = fill(newTicketFiles, () =>
  import('./ticket-files.tsx').then((file) => file.TicketFiles),
)
