import { waitingForMoney } from '#features/approvals/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** Slots of pages for staff that customers fill. */
export const slots: readonly SlotEntry[] = [
  provideSlot(waitingForMoney, () => import('./withdrawals.tsx').then((file) => file.Withdrawals)),
]
