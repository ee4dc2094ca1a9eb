import { hostPeople } from '#features/hosts/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The slot filled by sharing: the people who have seen the keys of a server. */
export const slots: readonly SlotEntry[] = [
  provideSlot(hostPeople, () => import('./past-access.tsx').then((file) => file.PastAccess)),
]
