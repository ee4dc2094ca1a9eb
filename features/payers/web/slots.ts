import { hostPayer } from '#features/hosts/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The slot filled by payers: who pays for a server. */
export const slots: readonly SlotEntry[] = [
  provideSlot(hostPayer, () => import('./payer-card.tsx').then((file) => file.PayerCard)),
]
