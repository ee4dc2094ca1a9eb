import { hostTickets } from '#features/hosts/contract.ts'
import { provideSlot } from '#foundation/web/slots.tsx'

/** What tickets put on the page of a server: those that are about it. */
export const ticketsOfHost = provideSlot(hostTickets, () =>
  import('./host-tickets.tsx').then((file) => file.HostTickets),
)
