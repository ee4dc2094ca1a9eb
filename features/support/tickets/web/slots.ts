import { hostTickets } from '#features/hosts/slots.ts'
import { provideSlot } from '#foundation/web/slots.tsx'

/** Fills the slot on a server's page with the tickets about the server. */
export const ticketsOfHost = provideSlot(hostTickets, () =>
  import('./host-tickets.tsx').then((file) => file.HostTickets),
)
