import { useQuery } from '@tanstack/react-query'
import FilePen from 'lucide-react/icons/file-pen'
import { paths } from '#features/paths.ts'
import { getAnyInvoice, getAnyPdf, getAnyXrechnung, type InvoiceWithChain } from '#features/books/contract.ts'
import { kindText } from '#features/books/texts.ts'
import { documentText } from '#features/invoices/texts.ts'
import { download } from '#foundation/web/api/download.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDateTime, formatPercent } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { ButtonLink, TextLink, useGo, usePathValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { LoadedPage } from '#foundation/web/ui/loaded.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { List } from '#foundation/web/ui/list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { useMay } from '#features/team/web/team.ts'
import { InvoiceStatus } from '#features/invoices/web/invoices.ts'
import { m } from '#texts/messages.js'
import { ChainRow } from './chain-row.tsx'
import { isReissuable, ReissueDialog } from './reissue.ts'

/** The page of a document of any customer, with all other documents of the same sale. */
export function AnyInvoicePage() {
  const publicId = usePathValue('publicId')
  const query = useQuery(queryFor(getAnyInvoice, { params: { publicId } }))
  useTitle(query.data?.invoice.number ?? m.books_invoices())
  return (
    <LoadedPage
      query={query}
      title={m.books_invoices()}
      failed={m.books_invoice_failed()}
      gone={
        <Page title={m.books_invoices()}>
          <EmptyState
            title={m.books_invoice_gone()}
            action={<ButtonLink to={paths.allInvoices()}>{m.books_invoices_show_all()}</ButtonLink>}
          >
            {m.books_invoice_gone_text()}
          </EmptyState>
        </Page>
      }
    >
      {(found) => <Known key={publicId} found={found} />}
    </LoadedPage>
  )
}

function Known({ found: { invoice, customer, chain } }: { found: InvoiceWithChain }) {
  const { id, number, kind, formats } = invoice
  const params = { publicId: id }
  const mayReissue = useMay('invoices.reissue')
  const reissue = useLazyDialog(ReissueDialog)
  const go = useGo()
  return (
    <Page
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span>{number}</span>
          {kind === 'credit_note' ? <Badge>{documentText(invoice)}</Badge> : null}
          {invoice.status === 'void' ? <InvoiceStatus kind={kind} status="void" /> : null}
        </span>
      }
      actions={
        <>
          {mayReissue && isReissuable(invoice) ? (
            <Button icon={<FilePen size={16} aria-hidden="true" />} {...reissue.opener}>
              {m.books_reissue()}
            </Button>
          ) : null}
          <DownloadButton
            text={m.invoices_pdf()}
            fetching={() => download(getAnyPdf, { params }, `${number}.pdf`)}
          />
          {formats.includes('xrechnung') ? (
            <DownloadButton
              text={m.invoices_xml()}
              fetching={() => download(getAnyXrechnung, { params }, `${number}.xml`)}
            />
          ) : null}
        </>
      }
    >
      <Card title={m.books_invoice_facts()}>
        <Facts facts={factsOf(invoice, customer)} />
      </Card>
      <section className="flex flex-col gap-3">
        <div>
          <h2 className="font-semibold">{m.books_invoice_chain()}</h2>
          <p className="mt-1 text-sm text-muted">{m.books_invoice_chain_text()}</p>
        </div>
        <List label={m.books_invoice_chain()}>
          {chain.map((document) => (
            <ChainRow key={document.id} document={document} isThis={document.id === id} />
          ))}
        </List>
      </section>
      {reissue.open ? (
        <ReissueDialog
          invoice={invoice}
          onDone={(issued) => void go(paths.anyInvoice(issued))}
          {...reissue.dialog}
        />
      ) : null}
    </Page>
  )
}

function factsOf(invoice: InvoiceWithChain['invoice'], customer: InvoiceWithChain['customer']) {
  const { to, issued_at, net, vat, total, vat_kind, vat_rate } = invoice
  const address = [to.street, to.apartment, `${to.zip} ${to.city}`.trim(), to.country].filter(Boolean)
  return [
    {
      name: m.books_invoice_customer(),
      value:
        customer.name === '' ? (
          m.books_invoice_deleted_customer()
        ) : (
          <TextLink to={paths.customer(customer.id)}>
            <bdi>{customer.name}</bdi>
          </TextLink>
        ),
    },
    {
      name: m.books_invoice_buyer(),
      value: <bdi>{[to.company || to.name, ...address, to.vat_id].filter(Boolean).join(', ')}</bdi>,
    },
    ...successionOf(invoice),
    { name: m.books_invoice_issued(), value: <time dateTime={issued_at}>{formatDateTime(issued_at)}</time> },
    { name: m.books_kind(), value: `${kindText(vat_kind)} · ${formatPercent(vat_rate)}` },
    { name: m.books_net(), value: formatMoney(net) },
    { name: m.books_vat(), value: formatMoney(vat) },
    { name: m.books_sum(), value: <span className="font-semibold">{formatMoney(total)}</span> },
  ]
}

/** The facts that link an invoice with the invoice that it replaced, and with the invoice that replaced it. */
const successionOf = ({ replaces, replaced_by }: InvoiceWithChain['invoice']) =>
  [
    { name: m.books_invoice_replaces(), other: replaces },
    { name: m.books_invoice_replaced_by(), other: replaced_by },
  ].flatMap(({ name, other }) =>
    other ? [{ name, value: <TextLink to={paths.anyInvoice(other.id)}>{other.number}</TextLink> }] : [],
  )
