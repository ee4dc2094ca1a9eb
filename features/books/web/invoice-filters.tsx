import { kindText } from '#features/books/texts.ts'
import { vatKinds } from '#features/invoices/rules.ts'
import { oneOf } from '#foundation/web/url-filter.ts'
import { DayFields } from '#foundation/web/ui/day-field.tsx'
import { FilterChips } from '#foundation/web/ui/filter-chips.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { useCountries } from '#features/customers/web/customers.ts'
import type { InvoiceChange, InvoiceFilter } from './invoice-filter.ts'

type Props = { filter: InvoiceFilter; onChange: (change: InvoiceChange) => void }

/** The filters of documents: by number or customer, kind, day, VAT and country. */
export function InvoiceFilters({ filter, onChange }: Props) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label={m.books_invoices_search()}
          placeholder={m.books_invoices_search_placeholder()}
          value={filter.q ?? ''}
          onSearch={(q) => onChange({ q })}
        />
        <FilterChips
          label={m.books_invoices_kind()}
          options={[
            { value: 'invoice', label: m.books_invoices_only_invoices() },
            { value: 'credit_note', label: m.books_invoices_only_credit_notes() },
          ]}
          chosen={filter.kind}
          onChoose={(kind) => onChange({ kind })}
        />
      </div>
      <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        <div className="sm:w-36 lg:w-52">
          <SelectField
            name="vat_kind"
            label={m.books_kind()}
            empty={m.books_invoices_any_kind()}
            options={vatKinds.map((kind) => ({ value: kind, label: kindText(kind) }))}
            value={filter.vat_kind ?? ''}
            onChange={({ target: { value } }) => onChange({ vat_kind: oneOf(vatKinds)(value) })}
          />
        </div>
        <div className="sm:w-36 lg:w-52">
          <SelectField
            name="country"
            label={m.books_country()}
            empty={m.books_invoices_any_country()}
            options={useCountries(filter.country ?? '')}
            value={filter.country ?? ''}
            onChange={({ target: { value: country } }) => onChange({ country })}
          />
        </div>
        <DayFields from={filter.from} to={filter.to} onChange={onChange} />
      </div>
    </div>
  )
}
