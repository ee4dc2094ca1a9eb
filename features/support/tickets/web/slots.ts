import { hostTickets } from '#features/hosts/slots.ts'
import { provideSlot } from '#foundation/web/slots.tsx'

/** The slot of a server's page filled by tickets: those about the server. */
export const ticketsOfHost = provideSlot(hostTickets, () =>
  import('./host-tickets.tsx').then((file) => file.HostTickets),
)
