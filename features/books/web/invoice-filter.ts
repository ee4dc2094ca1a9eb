import { paths } from '#features/paths.ts'
import { invoiceKinds, vatKinds } from '#features/invoices/rules.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'

const names = ['q', 'kind', 'from', 'to', 'country', 'vat_kind'] as const

/** The filter of the list, as the address keeps it; days are `2026-01-31`, and '' is no filter. */
export type InvoiceFilter = Record<(typeof names)[number], string>

/** The filter from the address, and how to change a part of it: a reload, a bookmark and 'Back' find the same list. */
export function useInvoiceFilter(): [InvoiceFilter, (change: Partial<InvoiceFilter>) => void] {
  const go = useGo()
  const filter = {
    q: useQueryValue('q') ?? '',
    kind: useQueryValue('kind') ?? '',
    from: useQueryValue('from') ?? '',
    to: useQueryValue('to') ?? '',
    country: useQueryValue('country') ?? '',
    vat_kind: useQueryValue('vat_kind') ?? '',
  }
  const change = (part: Partial<InvoiceFilter>) => {
    const all = { ...filter, ...part }
    const set = Object.fromEntries(names.map((name) => [name, all[name] || undefined]))
    void go(paths.allInvoices(set), { replace: true, resetScroll: false })
  }
  return [filter, change]
}

export const EVERYTHING: InvoiceFilter = { q: '', kind: '', from: '', to: '', country: '', vat_kind: '' }

export const narrows = (filter: InvoiceFilter): boolean => names.some((name) => filter[name] !== '')

/** The filter in the form that the API takes: only the set values, in one order. An impossible kind counts as none. */
export function queryOf({ q, kind, from, to, country, vat_kind }: InvoiceFilter) {
  const [ofKind, ofVat] = [invoiceKinds.find((one) => one === kind), vatKinds.find((one) => one === vat_kind)]
  return {
    ...(q ? { q } : {}),
    ...(ofKind ? { kind: ofKind } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(country ? { country } : {}),
    ...(ofVat ? { vat_kind: ofVat } : {}),
  }
}
