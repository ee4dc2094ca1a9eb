import { financesToppedUp } from '#features/finance/slots.ts'
import { hostBulk, hostHistory, hostLicence, hostMachines, hostOrder } from '#features/hosts/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** Slots filled by licences: ordering a server, a server's licence and its payments, the way back to an order from topping up. */
export const slots: readonly SlotEntry[] = [
  provideSlot(financesToppedUp, () => import('./continue-order.tsx').then((file) => file.ContinueOrder)),
  provideSlot(hostOrder, () => import('./order-button.tsx').then((file) => file.OrderButton)),
  provideSlot(hostBulk, () => import('./bulk-actions.tsx').then((file) => file.BulkActions)),
  provideSlot(hostLicence, () => import('./licence-card.tsx').then((file) => file.LicenceCard)),
  provideSlot(hostMachines, () => import('./machines.tsx').then((file) => file.Machines)),
  provideSlot(hostHistory, () => import('./history.tsx').then((file) => file.History)),
]
