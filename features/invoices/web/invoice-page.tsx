import { paths } from '#features/paths.ts'
import type { ReactNode } from 'react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import SearchX from 'lucide-react/icons/search-x'
import { ButtonLink, Link, usePathValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { ErrorPage } from '#foundation/web/ui/error-page.tsx'
import { LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { CardSkeleton } from '#foundation/web/ui/skeleton.tsx'
import { NoticePlace } from '#foundation/web/ui/notice-place.tsx'
import { m } from '#texts/messages.js'
import { documentText } from '#features/invoices/texts.ts'
import { useInvoice } from './hooks.ts'
import { InvoiceDocuments } from './invoice-documents.tsx'
import { InvoicePreview } from './invoice-preview.tsx'
import { InvoiceSuccession } from './invoice-succession.tsx'

/** The page of an invoice as it was issued (rows R-06, F-02): to read, to print, and to download as PDF or XML. */
export function InvoicePage() {
  const query = useInvoice(usePathValue('publicId'))
  const { data } = query
  useTitle(data && `${documentText(data)} ${data.number}`)
  return (
    <LoadedPage
      query={query}
      title={m.invoices_invoice()}
      failed={m.invoices_failed()}
      waiting={<CardSkeleton phone={1200} wide={760} />}
      frame={comingInvoice}
      gone={
        <ErrorPage
          icon={<SearchX size={22} aria-hidden="true" />}
          title={m.invoices_not_found()}
          text={m.invoices_not_found_text()}
        >
          <ButtonLink to={paths.finances({ view: 'invoices' })}>{m.invoices_all()}</ButtonLink>
        </ErrorPage>
      }
    >
      {(invoice) => (
        <Around acts={<InvoiceDocuments invoice={invoice} />}>
          <InvoiceSuccession invoice={invoice} />
          <InvoicePreview invoice={invoice} />
        </Around>
      )}
    </LoadedPage>
  )
}

/** The page around an invoice: the way back, and what can be done with it. */
const Around = ({ acts, children }: { acts?: ReactNode; children: ReactNode }) => (
  <div className="mx-auto w-full max-w-[70rem]">
    <div className="flex max-w-[52rem] flex-col gap-5 print:block print:max-w-none">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <Link to={paths.finances({ view: 'invoices' })} className={backClass}>
          <ArrowLeft size={16} aria-hidden="true" />
          {m.invoices_all()}
        </Link>
        {acts}
      </div>
      <NoticePlace />
      {children}
    </div>
  </div>
)

const comingInvoice = (content: ReactNode) => (
  <Around>
    <h1 tabIndex={-1} className="sr-only">
      {m.invoices_invoice()}
    </h1>
    {content}
  </Around>
)

const backClass =
  '-ml-2 inline-flex h-9 items-center gap-2 rounded-md px-2 text-sm font-medium text-muted hover:bg-hover hover:text-text'
