import { financesMethods } from '#features/finance/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

export const slots: readonly SlotEntry[] = [
  provideSlot(financesMethods, () => import('./methods-card.tsx').then((file) => file.MethodsCard)),
]
