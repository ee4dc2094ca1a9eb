import { signedStatements } from '#features/invoices/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

export const slots: readonly SlotEntry[] = [
  provideSlot(signedStatements, () =>
    import('./signed-statements.tsx').then((file) => file.SignedStatements),
  ),
]
