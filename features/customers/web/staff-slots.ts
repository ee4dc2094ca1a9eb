import { waitingForMoney } from '#features/approvals/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The slots in pages of staff that the feature `customers` fills. */
export const slots: readonly SlotEntry[] = [
  provideSlot(waitingForMoney, () => import('./withdrawals.tsx').then((file) => file.Withdrawals)),
  provideSlot(waitingForMoney, () => import('./unbooked-events.tsx').then((file) => file.UnbookedEvents)),
]
