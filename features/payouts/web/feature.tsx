import { financesActs, financesPayouts } from '#features/finance/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

export const slots: readonly SlotEntry[] = [
  provideSlot(financesActs, () => import('./payout-button.tsx').then((file) => file.PayoutButton)),
  provideSlot(financesPayouts, () => import('./payouts-card.tsx').then((file) => file.PayoutsCard)),
]

export const live = () => import('./live.ts').then((file) => file.live)
