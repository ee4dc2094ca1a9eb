import type { SlotEntry } from '#foundation/web/slots.tsx'

export const slots: readonly SlotEntry[] = []
