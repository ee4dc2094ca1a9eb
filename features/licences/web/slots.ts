import { financesToppedUp } from '#features/finance/slots.ts'
import { hostBulk, hostHistory, hostLicence, hostMachines, hostOrder } from '#features/hosts/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** Slots filled by licences: the link from a top-up to an order; new and many servers; a server's licence, machines and payments. */
export const slots: readonly SlotEntry[] = [
  provideSlot(financesToppedUp, () => import('./continue-order.tsx').then((file) => file.ContinueOrder)),
  provideSlot(hostOrder, () => import('./order-button.tsx').then((file) => file.OrderButton)),
  provideSlot(hostBulk, () => import('./bulk-actions.tsx').then((file) => file.BulkActions)),
  provideSlot(hostLicence, () => import('./licence-card.tsx').then((file) => file.LicenceCard)),
  provideSlot(hostMachines, () => import('./machines.tsx').then((file) => file.Machines)),
  provideSlot(hostHistory, () => import('./history.tsx').then((file) => file.History)),
]
