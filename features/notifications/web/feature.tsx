import { moreSettings } from '#features/profile/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The bell itself is a part of the frame (app/web/shell/notes.tsx), whose code comes after the first page. */
export const slots: readonly SlotEntry[] = [
  provideSlot(moreSettings, () => import('./choices-card.tsx').then((file) => file.ChoicesCard)),
]
