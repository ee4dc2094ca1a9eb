import { apiParts } from '#features/sharing/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

export const slots: readonly SlotEntry[] = [
  provideSlot(apiParts, () => import('./proposals.tsx').then((file) => file.Proposals)),
]

export const live = () => import('./live.ts').then((file) => file.live)
