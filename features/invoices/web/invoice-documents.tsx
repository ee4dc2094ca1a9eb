import Printer from 'lucide-react/icons/printer'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

/** The sheet of paper. */
export function InvoiceDocuments() {
  return (
    <Button icon={<Printer size={16} aria-hidden="true" />} onClick={() => window.print()}>
      {m.invoices_print()}
    </Button>
  )
}
