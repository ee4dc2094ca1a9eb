import type { SlotEntry } from '#foundation/web/slots.tsx'
import { slots as desk } from '#features/support/desk/web/slots.ts'

/** The slot entries of this feature that only staff see. */
export const slots: readonly SlotEntry[] = desk
