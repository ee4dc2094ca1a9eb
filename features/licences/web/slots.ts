import { financesToppedUp } from '#features/finance/contract.ts'
import { hostHistory, hostLicence, hostOrder } from '#features/hosts/contract.ts'
import { fill, type Filling } from '#foundation/web/slots.tsx'

/** What licences put on others' pages: ordering a server, the licence of one and what was paid for it, the way back to an order from topping up. */
export const fillings: readonly Filling[] = [
  fill(financesToppedUp, () => import('./continue-order.tsx').then((file) => file.GoOn)),
  fill(hostOrder, () => import('./order-button.tsx').then((file) => file.OrderButton)),
  fill(hostLicence, () => import('./licence-card.tsx').then((file) => file.LicenceCard)),
  fill(hostHistory, () => import('./history.tsx').then((file) => file.History)),
]
