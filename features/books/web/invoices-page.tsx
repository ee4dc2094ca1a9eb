import { keepPreviousData, useQuery } from '@tanstack/react-query'
import FileText from 'lucide-react/icons/file-text'
import SearchX from 'lucide-react/icons/search-x'
import { useState } from 'react'
import { listAllInvoices, sumInvoices, type ListedInvoice } from '#features/books/contract.ts'
import type { ListOrder } from '#foundation/paging.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDay } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { CallError } from '#foundation/web/api/query.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useTitle } from '#foundation/web/title.ts'
import { isEmpty } from '#foundation/web/url-filter.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { useMay } from '#features/team/web/team.ts'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useInvoiceFilter, type InvoiceFilter } from './invoice-filter.ts'
import { InvoiceFilters } from './invoice-filters.tsx'
import { invoiceColumns } from './invoice-columns.tsx'
import { Places } from './places.tsx'
import { VatIds } from './vat-ids.tsx'
import { ReissueDialog } from './reissue.ts'

/** The invoices and credit notes of all customers, with their sums. */
export function InvoicesPage() {
  useTitle(m.books_invoices())
  const [{ sort, ...filter }, change, clear] = useInvoiceFilter()
  return (
    <Page title={m.books_invoices()} description={m.books_invoices_text()}>
      {isEmpty(filter) ? <Places /> : null}
      {isEmpty(filter) ? <VatIds /> : null}
      <InvoiceFilters filter={filter} onChange={change} />
      <Totals filter={filter} />
      <Invoices filter={filter} sort={sort} onSort={change} onShowAll={clear} />
    </Page>
  )
}

function Totals({ filter }: { filter: Omit<InvoiceFilter, 'sort'> }) {
  const { data, error } = useQuery({
    ...queryFor(sumInvoices, { query: filter }),
    placeholderData: keepPreviousData,
  })
  if (error) {
    const [first] = error instanceof CallError ? error.answer.errors : []
    return (
      <p role="status" className="text-sm text-muted">
        <span>{m.books_invoices_totals_failed()}</span>
        {first ? <span>{`: ${errorText(first)}`}</span> : null}
      </p>
    )
  }
  const sums = [
    { name: m.books_documents(), value: data ? String(data.count) : '' },
    { name: m.books_net(), value: data ? formatMoney(data.net) : '' },
    { name: m.books_vat(), value: data ? formatMoney(data.vat) : '' },
    { name: m.books_sum(), value: data ? formatMoney(data.total) : '' },
  ]
  return (
    <section
      aria-label={m.books_invoices_totals()}
      className="rounded-lg border border-line bg-surface px-5 py-4"
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        {sums.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="min-h-7 text-lg font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 min-h-5 text-sm text-muted">
        {data ? (
          m.books_invoices_totals_text({ from: formatDay(data.first_day), to: formatDay(data.last_day) })
        ) : (
          <Coming />
        )}
      </p>
    </section>
  )
}

type Props = {
  filter: Omit<InvoiceFilter, 'sort'>
  sort: InvoiceFilter['sort']
  onSort: (change: { sort: ListOrder }) => void
  onShowAll: () => void
}

function Invoices({ filter, sort, onSort, onShowAll }: Props) {
  const list = useList(listAllInvoices, { query: { ...filter, ...(sort ? { sort } : {}) } })
  const mayReissue = useMay('invoices.reissue')
  const [chosen, setChosen] = useState<ListedInvoice>()
  const reissue = useLazyDialog(ReissueDialog)
  const none = !isEmpty(filter) ? (
    <EmptyState
      icon={<SearchX size={20} aria-hidden="true" />}
      title={m.books_invoices_none()}
      action={<Button onClick={onShowAll}>{m.books_invoices_show_all()}</Button>}
    >
      {m.books_invoices_none_text()}
    </EmptyState>
  ) : (
    <EmptyState icon={<FileText size={20} aria-hidden="true" />} title={m.books_invoices_none_yet()}>
      {m.books_invoices_none_yet_text()}
    </EmptyState>
  )
  const issueAgain = (invoice: ListedInvoice) => {
    setChosen(invoice)
    reissue.show()
  }
  return (
    <>
      <DataTable
        name="invoices"
        label={m.books_invoices()}
        list={list}
        failed={m.books_invoices_failed()}
        none={none}
        idOf={({ id }) => id}
        columns={invoiceColumns(mayReissue ? issueAgain : undefined)}
        sorted={sort ?? ''}
        onSort={(order) => onSort({ sort: order })}
      />
      {chosen && reissue.open ? <ReissueDialog invoice={chosen} {...reissue.dialog} /> : null}
    </>
  )
}
