import { Statement } from '#features/invoices/web/invoices.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'

/** The statement of a month of a customer, as the customer has it. */
export const CustomerStatement = ({ card, ...dialog }: DialogProps & { card: CustomerCard }) => (
  <Dialog wide title={m.invoices_statement()} {...dialog}>
    <Statement userId={card.id} />
  </Dialog>
)
