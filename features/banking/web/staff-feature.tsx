import { BANK_LINES_CHANGED } from '#features/banking/contract.ts'
import { transfersStatements } from '#features/customers/slots.ts'
import type { LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'
import { refreshLines } from './hooks.ts'

/** Shows the bank statements on the page of bank transfers. */
export const slots: readonly SlotEntry[] = [
  provideSlot(transfersStatements, () => import('./statements.tsx').then((file) => file.Statements)),
]

export const live: readonly LiveReaction[] = [[BANK_LINES_CHANGED, refreshLines]]
