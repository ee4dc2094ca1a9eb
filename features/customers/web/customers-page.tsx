import SearchX from 'lucide-react/icons/search-x'
import Users from 'lucide-react/icons/users'
import { useTitle } from '#foundation/web/title.ts'
import { List } from '#foundation/web/ui/list.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { ChipRow, FilterChips } from '#foundation/web/ui/filter-chips.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { m } from '#texts/messages.js'
import { CustomerRow } from './customer-row.tsx'
import { narrows, useCustomerFilter, type CustomerFilter } from './filter.ts'
import { useCustomers } from './hooks.ts'

/** All customers, with a search by anything that staff know of a customer. */
export function CustomersPage() {
  const [filter, change, clear] = useCustomerFilter()
  useTitle(m.shell_customers())
  return (
    <Page title={m.shell_customers()}>
      <Tools filter={filter} onChange={change} />
      <Customers filter={filter} onShowAll={clear} />
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
      <ChipRow>
        <FilterChips
          label={m.customers_filter()}
          options={[
            { value: 'unconfirmed', label: m.customers_unconfirmed() },
            { value: 'debt', label: m.customers_in_debt() },
            { value: 'blocked', label: m.customers_state_blocked() },
            { value: 'locked', label: m.customers_state_locked() },
          ]}
          chosen={filter.debt ? 'debt' : filter.state === 'active' ? undefined : filter.state}
          onChoose={(chosen) =>
            onChange({
              debt: chosen === 'debt' ? 'yes' : undefined,
              state: chosen === 'debt' ? undefined : chosen,
            })
          }
        />
        <FilterChips
          label={m.customers_order()}
          options={[
            { value: 'last_login_at', label: m.customers_order_login() },
            { value: 'balance', label: m.customers_order_balance() },
          ]}
          chosen={filter.sort}
          onChoose={(sort) => onChange({ sort })}
        />
      </ChipRow>
    </div>
  )
}

function Customers({ filter, onShowAll }: { filter: CustomerFilter; onShowAll: () => void }) {
  const pages = useCustomers(filter)
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
    <LoadedList query={pages} failed={m.customers_failed()} none={none}>
      {(customers) => (
        <div className="@container">
          <List label={m.shell_customers()} isOutdated={pages.isPlaceholderData}>
            {customers.map((customer) => (
              <CustomerRow key={customer.id} customer={customer} />
            ))}
          </List>
        </div>
      )}
    </LoadedList>
  )
}
