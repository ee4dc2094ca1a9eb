import { useQuery } from '@tanstack/react-query'
import { listCountries } from '#features/profile/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'

/** Returns the countries, sorted by their names in the present language; only the chosen country until the list is loaded. */
export function useCountries(chosen: string): { value: string; label: string }[] {
  const codes = useQuery(queryFor(listCountries)).data?.map(({ code }) => code)
  const names = new Intl.DisplayNames(currentLocale(), { type: 'region' })
  return (codes ?? (/^[A-Z]{2}$/.test(chosen) ? [chosen] : []))
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .toSorted((one, other) => one.label.localeCompare(other.label, currentLocale()))
}
