import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import SearchX from 'lucide-react/icons/search-x'
import { listAllTransactions } from '#features/books/contract.ts'
import { transactionTypes } from '#features/finance/rules.ts'
import { typeText } from '#features/finance/texts.ts'
import { paths } from '#features/paths.ts'
import { chosenOrders } from '#foundation/paging.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useTitle } from '#foundation/web/title.ts'
import {
  anyText,
  isEmpty,
  oneOf,
  useUrlFilter,
  type ChangeOf,
  type FilterOf,
} from '#foundation/web/url-filter.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DayFields } from '#foundation/web/ui/day-field.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { transactionColumns } from './transaction-columns.tsx'

const shape = {
  q: anyText,
  type: oneOf(transactionTypes),
  from: anyText,
  to: anyText,
  sort: oneOf(chosenOrders),
}
type Filter = FilterOf<typeof shape>

/** The transactions of all customers, with the filter in the address. */
export function TransactionsPage() {
  useTitle(m.books_transactions())
  const [filter, change, clear] = useUrlFilter(shape, paths.allTransactions)
  return (
    <Page title={m.books_transactions()} description={m.books_transactions_text()}>
      <Filters filter={filter} onChange={change} />
      <Transactions filter={filter} onChange={change} onShowAll={clear} />
    </Page>
  )
}

type FiltersProps = { filter: Filter; onChange: (change: ChangeOf<typeof shape>) => void }

function Filters({ filter, onChange }: FiltersProps) {
  return (
    <div className="flex flex-col gap-3">
      <SearchField
        label={m.books_transactions_search()}
        placeholder={m.books_transactions_search_placeholder()}
        value={filter.q ?? ''}
        onSearch={(q) => onChange({ q })}
      />
      <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        <div className="max-sm:col-span-full sm:w-52">
          <SelectField
            name="type"
            label={m.finance_csv_type()}
            empty={m.books_transactions_any_type()}
            options={transactionTypes.map((type) => ({ value: type, label: typeText(type) }))}
            value={filter.type ?? ''}
            onChange={({ target: { value } }) => onChange({ type: oneOf(transactionTypes)(value) })}
          />
        </div>
        <DayFields from={filter.from} to={filter.to} onChange={onChange} />
      </div>
    </div>
  )
}

function Transactions({ filter, onChange, onShowAll }: FiltersProps & { onShowAll: () => void }) {
  const { sort, ...narrowing } = filter
  const none = !isEmpty(narrowing) ? (
    <EmptyState
      icon={<SearchX size={20} aria-hidden="true" />}
      title={m.books_transactions_none()}
      action={<Button onClick={onShowAll}>{m.books_transactions_show_all()}</Button>}
    >
      {m.books_transactions_none_text()}
    </EmptyState>
  ) : (
    <EmptyState
      icon={<ArrowLeftRight size={20} aria-hidden="true" />}
      title={m.books_transactions_none_yet()}
    >
      {m.books_transactions_none_yet_text()}
    </EmptyState>
  )
  return (
    <DataTable
      name="transactions"
      label={m.books_transactions()}
      list={useList(listAllTransactions, { query: filter })}
      failed={m.books_transactions_failed()}
      none={none}
      idOf={({ id }) => id}
      columns={transactionColumns()}
      sorted={sort ?? ''}
      onSort={(order) => onChange({ sort: order })}
    />
  )
}
