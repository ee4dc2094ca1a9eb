import { financesToppedUp } from '#features/finance/contract.ts'
import { hostHistory, hostLicence, hostOrder } from '#features/hosts/contract.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** What licences put on others' pages: ordering a server, the licence of one and what was paid for it, the way back to an order from topping up. */
export const slots: readonly SlotEntry[] = [
  provideSlot(financesToppedUp, () => import('./continue-order.tsx').then((file) => file.ContinueOrder)),
  provideSlot(hostOrder, () => import('./order-button.tsx').then((file) => file.OrderButton)),
  provideSlot(hostLicence, () => import('./licence-card.tsx').then((file) => file.LicenceCard)),
  provideSlot(hostHistory, () => import('./history.tsx').then((file) => file.History)),
]
