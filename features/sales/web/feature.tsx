import { financesOrders, financesToppedUp, topUpWays } from '#features/finance/slots.ts'
import { hostBulk, hostHistory, hostLicence, hostOrder } from '#features/hosts/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** Slots filled by sales: the link from a top-up to an order; orders that wait for money; saved methods for a top-up; new and many servers; a server's licence and payments. */
export const slots: readonly SlotEntry[] = [
  provideSlot(financesToppedUp, () => import('./continue-order.tsx').then((file) => file.ContinueOrder)),
  provideSlot(financesOrders, () => import('./finances-orders.tsx').then((file) => file.FinancesOrders)),
  provideSlot(topUpWays, () => import('./top-up-methods.tsx').then((file) => file.TopUpMethods)),
  provideSlot(hostOrder, () => import('./order-button.tsx').then((file) => file.OrderButton)),
  provideSlot(hostBulk, () => import('./bulk-actions.tsx').then((file) => file.BulkActions)),
  provideSlot(hostLicence, () => import('./licence-card.tsx').then((file) => file.LicenceCard)),
  provideSlot(hostHistory, () => import('./history.tsx').then((file) => file.History)),
]

export const live = () => import('./live.ts').then((file) => file.live)
