import { ChipGroup, ChipRow } from '#foundation/web/ui/filter-chips.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { m } from '#texts/messages.js'
import { connections, licences, sorts, type HostFilter, type useHostFilter } from './filter.ts'
import { connectionTexts, licenceTexts } from './status.tsx'
import { SortMenu } from './sort-menu.tsx'

type Props = { filter: HostFilter; onChange: ReturnType<typeof useHostFilter>[1] }

/** Search, filters and sorting above the list. */
export function HostTools({ filter, onChange }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-3">
      <SearchField
        label={m.hosts_search()}
        placeholder={m.hosts_search_placeholder()}
        value={filter.q ?? ''}
        onSearch={(q) => onChange({ q })}
      />
      <ChipRow>
        <ChipGroup
          label={m.hosts_licence()}
          options={licences.map((value) => ({ value, label: licenceTexts[value]() }))}
          chosen={filter.licence}
          onChoose={(licence) => onChange({ licence })}
        />
        <ChipGroup
          label={m.hosts_connection()}
          options={connections.map((value) => ({ value, label: connectionTexts[value]() }))}
          chosen={filter.connected}
          onChoose={(connected) => onChange({ connected })}
        />
      </ChipRow>
      <div className="col-start-2 row-start-1 sm:ml-auto">
        <SortMenu
          options={sorts.map((value) => ({ value, label: SORTS[value]() }))}
          chosen={filter.sort ?? 'created_at'}
          onChoose={(sort) => onChange({ sort: sort === 'created_at' ? undefined : sort })}
        />
      </div>
    </div>
  )
}

const SORTS = {
  created_at: () => m.hosts_sort_created(),
  name: () => m.hosts_sort_name(),
  paid_until: () => m.hosts_sort_paid_until(),
} as const
