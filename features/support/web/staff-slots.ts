import type { SlotEntry } from '#foundation/web/slots.tsx'
import { slots as desk } from '#features/support/desk/web/slots.ts'

/** The entries of the parts of support for slots that only staff see. */
export const slots: readonly SlotEntry[] = desk
