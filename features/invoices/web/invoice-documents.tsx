import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import { useState } from 'react'
import { getPdf, getXrechnung } from '#features/invoices/contract.ts'
import { download } from '#foundation/web/api/download.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

/** The sheet of paper; the PDF, which people and programs can read; and the XRechnung, for programs alone. */
export function InvoiceDocuments({ id, number }: { id: string; number: string }) {
  const input = { params: { publicId: id } }
  return (
    <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
      <Button icon={<Printer size={16} aria-hidden="true" />} onClick={() => window.print()}>
        {m.invoices_print()}
      </Button>
      <Save text={m.invoices_pdf()} fetching={() => download(getPdf, input, `${number}.pdf`)} />
      <Save text={m.invoices_xml()} fetching={() => download(getXrechnung, input, `${number}.xml`)} />
    </div>
  )
}

function Save({ text, fetching }: { text: string; fetching: () => ReturnType<typeof download> }) {
  const [pending, setPending] = useState(false)
  const save = async () => {
    setPending(true)
    const answer = await fetching()
    setPending(false)
    const [error] = answer.errors
    if (error) toastError(() => errorText(error), answer)
  }
  return (
    <Button icon={<Download size={16} aria-hidden="true" />} pending={pending} onClick={() => void save()}>
      {text}
    </Button>
  )
}
