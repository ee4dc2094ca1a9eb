import { hostMachines } from '#features/hosts/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** The slot filled by licences: the machines of a server. */
export const slots: readonly SlotEntry[] = [
  provideSlot(hostMachines, () => import('./machines.tsx').then((file) => file.Machines)),
]

export const live = () => import('./live.ts').then((file) => file.live)
