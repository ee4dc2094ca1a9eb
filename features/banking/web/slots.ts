import { transfersStatements } from '#features/customers/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

/** Shows the bank statements on the page of bank transfers. */
export const slots: readonly SlotEntry[] = [
  provideSlot(transfersStatements, () => import('./statements.tsx').then((file) => file.Statements)),
]
