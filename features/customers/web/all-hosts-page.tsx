import { useQuery } from '@tanstack/react-query'
import SearchX from 'lucide-react/icons/search-x'
import { useState } from 'react'
import { listStaffHosts, type StaffHost } from '#features/customers/host-contract.ts'
import { hostSorts, hostSortOf, hostStates } from '#features/customers/rules.ts'
import { listPlans } from '#features/licences/contract.ts'
import { paths } from '#features/paths.ts'
import { useMay } from '#features/team/web/team.ts'
import { inLanguage } from '#foundation/locale.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { useTitle } from '#foundation/web/title.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { FilterChips } from '#foundation/web/ui/filter-chips.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import {
  anyText,
  isEmpty,
  oneOf,
  useUrlFilter,
  type ChangeOf,
  type FilterOf,
} from '#foundation/web/url-filter.ts'
import { m } from '#texts/messages.js'
import { HelpHost, SuspendHost } from './customer-hosts.tsx'
import { useCountries } from './customers.ts'
import { hostColumns } from './host-columns.tsx'
import { WriteToFound } from './write-to-found.tsx'

const shape = {
  state: oneOf(hostStates),
  plan: anyText,
  country: (text: string) => (/^[A-Z]{2}$/.test(text) ? text : undefined),
  sort: oneOf(hostSorts),
}
type Filter = FilterOf<typeof shape>

/** The servers of all customers, filtered, each with what staff may do for its customer. */
export function AllHostsPage() {
  const [filter, change, clear] = useUrlFilter(shape, paths.allHosts)
  const { sort: _order, ...narrowing } = filter
  useTitle(m.customers_servers())
  return (
    <Page title={m.customers_servers()} actions={<WriteToFound found={{ servers: narrowing }} />}>
      <Filters filter={filter} onChange={change} />
      <Hosts filter={filter} onChange={change} onShowAll={clear} />
    </Page>
  )
}

type Change = (part: ChangeOf<typeof shape>) => void

function Hosts({ filter, onChange, onShowAll }: { filter: Filter; onChange: Change; onShowAll: () => void }) {
  const { sort, ...narrowing } = filter
  const help = useLazyDialog(HelpHost)
  const suspend = useLazyDialog(SuspendHost)
  const [chosen, setChosen] = useState<StaffHost>()
  const choosing = (may: boolean, dialog: typeof help | typeof suspend) =>
    may
      ? (row: StaffHost) => {
          setChosen(row)
          dialog.show()
        }
      : undefined
  const onHelp = choosing(useMay('customers.help'), help)
  const onSuspend = choosing(useMay('hosts.suspend'), suspend)
  return (
    <>
      <DataTable
        name="servers"
        label={m.customers_servers()}
        list={useList(listStaffHosts, { query: filter })}
        failed={m.customers_hosts_failed()}
        none={
          isEmpty(narrowing) ? (
            m.customers_no_hosts()
          ) : (
            <EmptyState
              icon={<SearchX size={20} aria-hidden="true" />}
              title={m.customers_servers_none()}
              action={<Button onClick={onShowAll}>{m.customers_servers_all()}</Button>}
            >
              {m.customers_servers_none_text()}
            </EmptyState>
          )
        }
        idOf={({ host }) => host.id}
        columns={hostColumns(useLocale(), { onHelp, onSuspend })}
        sorted={hostSortOf(sort, filter.state)}
        onSort={(order) => onChange({ sort: order })}
      />
      {chosen && help.open ? <HelpHost host={chosen.host} {...help.dialog} /> : null}
      {chosen && suspend.open ? <SuspendHost host={chosen.host} {...suspend.dialog} /> : null}
    </>
  )
}

function Filters({ filter, onChange }: { filter: Filter; onChange: Change }) {
  const locale = useLocale()
  const plans = useQuery(queryFor(listPlans, { query: {} })).data?.items ?? []
  const options = plans.map(({ slug, name }) => ({ value: slug, label: inLanguage(name, locale) }))
  // A plan that is sold no more stands in the address of a link alone.
  const chosen = filter.plan ?? ''
  const unlisted =
    chosen === '' || plans.some(({ slug }) => slug === chosen) ? [] : [{ value: chosen, label: chosen }]
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-full">
        <FilterChips
          label={m.customers_filter()}
          options={[
            { value: 'alert', label: m.customers_servers_alert() },
            { value: 'offline', label: m.customers_servers_offline() },
            { value: 'ends_soon', label: m.customers_servers_ends_soon() },
            { value: 'wrong_machine', label: m.customers_servers_wrong_machine() },
            { value: 'suspended', label: m.hosts_suspended() },
          ]}
          chosen={filter.state}
          onChoose={(state) => onChange({ state })}
        />
      </div>
      <div className="min-w-40 flex-1 sm:max-w-56">
        <SelectField
          name="plan"
          label={m.customers_servers_plan()}
          empty={m.customers_servers_any_plan()}
          options={[...options, ...unlisted]}
          value={chosen}
          onChange={({ target: { value: plan } }) => onChange({ plan })}
        />
      </div>
      <div className="min-w-40 flex-1 sm:max-w-56">
        <SelectField
          name="country"
          label={m.customers_servers_country()}
          empty={m.customers_servers_any_country()}
          options={useCountries(filter.country ?? '')}
          value={filter.country ?? ''}
          onChange={({ target: { value: country } }) => onChange({ country })}
        />
      </div>
    </div>
  )
}
