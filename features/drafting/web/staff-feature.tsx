import { composerTools } from '#features/support/messages/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

export const slots: readonly SlotEntry[] = [
  provideSlot(composerTools, () => import('./drafting-tools.tsx').then((file) => file.DraftingTools)),
]
