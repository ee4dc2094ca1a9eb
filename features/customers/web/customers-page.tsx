import SearchX from 'lucide-react/icons/search-x'
import Users from 'lucide-react/icons/users'
import { listCustomers } from '#features/customers/contract.ts'
import { sortOf } from '#features/customers/rules.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useTitle } from '#foundation/web/title.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { FilterChips } from '#foundation/web/ui/filter-chips.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { accessTexts } from '#features/support/desk/texts.ts'
import { addressTexts } from '#features/profile/texts.ts'
import { m } from '#texts/messages.js'
import { customerColumns } from './customer-columns.tsx'
import { narrows, useCustomerFilter, type CustomerFilter } from './filter.ts'
import { WriteToFound } from './write-to-found.tsx'

/** All customers, with a search by anything that staff know of a customer. */
export function CustomersPage() {
  const [filter, change, clear] = useCustomerFilter()
  const { q, state, debt } = filter
  useTitle(m.shell_customers())
  return (
    <Page title={m.shell_customers()} actions={<WriteToFound found={{ customers: { q, state, debt } }} />}>
      <Tools filter={filter} onChange={change} />
      <Customers filter={filter} onChange={change} onShowAll={clear} />
    </Page>
  )
}

type Props = { filter: CustomerFilter; onChange: ReturnType<typeof useCustomerFilter>[1] }

function Tools({ filter, onChange }: Props) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      <div className="w-full">
        <SearchField
          label={m.customers_search()}
          placeholder={m.customers_search_placeholder()}
          value={filter.q ?? ''}
          onSearch={(q) => onChange({ q })}
        />
        <p className="mt-1.5 max-w-md text-sm text-pretty text-muted">{m.customers_search_hint()}</p>
      </div>
      <FilterChips
        label={m.customers_filter()}
        options={[
          { value: 'unconfirmed', label: addressTexts.unconfirmed() },
          { value: 'debt', label: m.customers_in_debt() },
          { value: 'blocked', label: accessTexts.blocked() },
          { value: 'locked', label: accessTexts.locked() },
        ]}
        chosen={filter.debt ? 'debt' : filter.state === 'active' ? undefined : filter.state}
        onChoose={(chosen) =>
          onChange({
            debt: chosen === 'debt' ? 'yes' : undefined,
            state: chosen === 'debt' ? undefined : chosen,
          })
        }
      />
    </div>
  )
}

function Customers({ filter, onChange, onShowAll }: Props & { onShowAll: () => void }) {
  const none = narrows(filter) ? (
    <EmptyState
      icon={<SearchX size={20} aria-hidden="true" />}
      title={m.customers_none_found()}
      action={<Button onClick={onShowAll}>{m.customers_show_all()}</Button>}
    >
      {m.customers_none_found_text()}
    </EmptyState>
  ) : (
    <EmptyState icon={<Users size={20} aria-hidden="true" />} title={m.customers_none()}>
      {m.customers_none_text()}
    </EmptyState>
  )
  return (
    <DataTable
      name="customers"
      label={m.shell_customers()}
      list={useList(listCustomers, { query: filter })}
      failed={m.customers_failed()}
      none={none}
      idOf={({ id }) => id}
      columns={customerColumns(filter)}
      sorted={sortOf(filter.sort, filter.debt === 'yes')}
      onSort={(sort) => onChange({ sort })}
    />
  )
}
