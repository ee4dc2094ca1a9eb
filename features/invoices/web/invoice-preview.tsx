import { paths } from '#features/paths.ts'
import type { ReactNode } from 'react'
import type { Invoice } from '#features/invoices/contract.ts'
import { documentText, giftNotes, noteText } from '#features/invoices/texts.ts'
import { inLanguage } from '#foundation/locale.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { m } from '#texts/messages.js'
import { InvoiceLines } from './invoice-lines.tsx'
import { BuyerLines, SellerLines, SellerSmallPrint } from './invoice-parties.tsx'
import { InvoiceStatus } from './invoice-status.tsx'

/** The page of an invoice: seller, buyer, items (row F-02). It looks the same on screen and on paper. */
export function InvoicePreview({ invoice }: { invoice: Invoice }) {
  const { number, from, to, notes: stored } = invoice
  const notes = [...stored.map((note) => noteText(note, formatDay)), ...giftNotes(invoice)]
  return (
    <article className="flex flex-col gap-8 rounded-lg border border-line bg-surface p-5 text-sm sm:gap-10 sm:p-10 print:gap-7 print:rounded-none print:border-0 print:p-0">
      <header className="flex flex-wrap items-start justify-between gap-6">
        <div>
          <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none">
            {documentText(invoice)} <span className="block text-base font-normal text-muted">{number}</span>
          </h1>
        </div>
        <p className="flex min-w-0 items-center gap-2.5 text-base font-semibold tracking-tight">
          <Mark />
          <span className="[overflow-wrap:anywhere]">{from.name}</span>
        </p>
      </header>
      <div className="grid gap-8 sm:grid-cols-[1fr_1fr_minmax(0,max-content)] sm:gap-6">
        <Block title={m.invoices_from()}>
          <SellerLines seller={from} />
        </Block>
        <Block title={m.invoices_to()}>
          <BuyerLines buyer={to} />
        </Block>
        <Facts invoice={invoice} />
      </div>
      <InvoiceLines invoice={invoice} />
      {notes.length > 0 ? (
        <Block title={m.invoices_notes()}>
          {notes.map((note, index) => (
            // An issued invoice never changes, so its notes stay in their order; two may be of one kind.
            // oxlint-disable-next-line react/no-array-index-key
            <p key={index} className="max-w-prose text-pretty [overflow-wrap:anywhere]">
              {note}
            </p>
          ))}
        </Block>
      ) : null}
      <SellerSmallPrint seller={from} isOwed={invoice.status === 'issued'} />
    </article>
  )
}

function Facts({ invoice }: { invoice: Invoice }) {
  const { kind, status, issued_on, credit_note_of, credit_notes, host_id } = invoice
  const { buyer_reference, order_reference } = invoice
  return (
    <dl className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1 sm:-mt-0.5">
      <Fact term={m.invoices_issued()}>{formatDay(issued_on)}</Fact>
      {kind === 'invoice' ? <Fact term={m.invoices_due()}>{formatDay(issued_on)}</Fact> : null}
      {kind === 'invoice' && status !== 'issued' ? (
        <Fact term={m.invoices_paid_on()}>{formatDay(issued_on)}</Fact>
      ) : null}
      {buyer_reference ? <Fact term={m.invoices_buyer_reference()}>{buyer_reference}</Fact> : null}
      {order_reference ? <Fact term={m.invoices_order_reference()}>{order_reference}</Fact> : null}
      <Fact term={m.invoices_status()}>
        <InvoiceStatus kind={kind} status={status} />
      </Fact>
      {credit_note_of ? (
        <Fact term={m.invoices_corrects()}>
          <TextLink to={paths.invoice(credit_note_of.id)}>{credit_note_of.number}</TextLink>
        </Fact>
      ) : null}
      {credit_notes.map(({ id, number: creditNumber, total }) => (
        <Fact
          key={id}
          term={documentText({ kind: 'credit_note', cancels: total.amount === invoice.total.amount })}
        >
          <TextLink to={paths.invoice(id)}>{creditNumber}</TextLink>
          <span className="block text-muted">{formatMoney(total)}</span>
        </Fact>
      ))}
      {host_id === null ? null : (
        <Fact term={m.invoices_server()} onScreenOnly>
          <TextLink to={paths.host(host_id)}>{hostOf(invoice) ?? m.invoices_server_open()}</TextLink>
        </Fact>
      )}
    </dl>
  )
}

/** Returns the name that the server had when it was charged for. */
const hostOf = ({ lines }: Invoice): string | undefined =>
  lines.map(({ description }) => inLanguage(description.params['host'], currentLocale())).find(Boolean)

function Fact({
  term,
  onScreenOnly,
  children,
}: {
  term: string
  onScreenOnly?: boolean
  children: ReactNode
}) {
  return (
    <div className={onScreenOnly ? 'contents print:hidden' : 'contents'}>
      <dt className="text-muted">{term}</dt>
      <dd className="text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="pb-1.5 text-xs font-medium text-muted">{title}</h2>
      <div className="flex flex-col gap-0.5">{children}</div>
    </section>
  )
}
