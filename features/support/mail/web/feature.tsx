import { aboveTickets } from '#features/support/tickets/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** Above the customer's tickets: addresses from which mails come back. */
export const slots: readonly SlotEntry[] = [
  provideSlot(aboveTickets, () => import('./suspended.tsx').then((file) => file.SuspendedAlerts)),
]

export const live = () => import('./live.ts').then((file) => file.live)
