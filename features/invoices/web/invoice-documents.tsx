import Printer from 'lucide-react/icons/printer'
import { getPdf, getXrechnung, type Invoice } from '#features/invoices/contract.ts'
import { missingForXrechnung } from '#features/invoices/rules.ts'
import { download } from '#foundation/web/api/download.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { m } from '#texts/messages.js'

/**
 * Buttons to print the page and to download the PDF (for people and programs), the XRechnung (for programs
 * alone) and earlier versions. If XRechnung lacks required details, a line says so in place of its button.
 */
export function InvoiceDocuments({ invoice }: { invoice: Invoice }) {
  const { id, number, formats, document_versions } = invoice
  const input = (version?: number) => ({
    params: { publicId: id },
    query: version === undefined ? {} : { version: String(version) },
  })
  const [lacks] = missingForXrechnung(invoice)
  return (
    <div className="flex flex-col gap-2 max-sm:w-full sm:items-end">
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button icon={<Printer size={16} aria-hidden="true" />} onClick={() => window.print()}>
          {m.invoices_print()}
        </Button>
        <DownloadButton text={m.invoices_pdf()} fetching={() => download(getPdf, input(), `${number}.pdf`)} />
        {formats.includes('xrechnung') ? (
          <DownloadButton
            text={m.invoices_xml()}
            fetching={() => download(getXrechnung, input(), `${number}-xrechnung.xml`)}
          />
        ) : null}
      </div>
      {lacks ? (
        <p className="max-w-prose text-sm text-pretty text-muted sm:text-right">
          {lacks === 'seller_contact' ? m.invoices_no_xrechnung_seller() : m.invoices_no_xrechnung_buyer()}
        </p>
      ) : null}
      {document_versions.slice(0, -1).map(({ version, made_at }) => (
        <DownloadButton
          key={version}
          small
          text={m.invoices_earlier_version({ date: formatDate(made_at) })}
          fetching={() => download(getPdf, input(version), `${number}-${version}.pdf`)}
        />
      ))}
    </div>
  )
}
