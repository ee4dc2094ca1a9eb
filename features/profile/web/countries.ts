import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { listCountries } from '#features/profile/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useLocale, type Locale } from '#foundation/web/i18n/locale.ts'
import { whenIdle } from '#foundation/web/when-idle.ts'

const countries = { ...queryFor(listCountries), staleTime: Infinity }

/**
 * Returns the countries by their names in the present language, sorted. Until the whole list is wanted and has loaded, it holds
 * only the countries chosen so far: naming and sorting 250 countries takes a phone longer than the rest of the page. A chosen
 * country stays in the list: a select whose option vanishes shows none, and the form would take that for a change (rule 45).
 */
export function useCountries(present: string, wanted: boolean): readonly CountryOption[] {
  const locale = useLocale()
  const names = useCountryNames(locale)
  const { data } = useQuery({ ...countries, enabled: wanted })
  const [seen, setSeen] = useState<readonly string[]>([])
  if (present !== '' && !seen.includes(present)) setSeen([...seen, present])
  return useMemo(() => {
    const optionOf = ({ code, name }: { code: string; name: string }) => ({
      value: code,
      label: names?.of(code) ?? name,
    })
    const listed = wanted && data ? data : []
    const unlisted = seen.filter((code) => !listed.some((country) => country.code === code))
    const options = [...listed, ...unlisted.map((code) => ({ code, name: code }))].map(optionOf)
    // Making a collator takes a phone 50 ms, which the first page does not need.
    if (options.length < 2) return options
    const { compare } = new Intl.Collator(locale)
    return options.toSorted((one, other) => compare(one.label, other.label))
  }, [locale, names, data, seen, wanted])
}

/** Returns the browser's own names of countries. Loading them takes a phone 70 ms, so the page is shown first. */
function useCountryNames(locale: Locale): Intl.DisplayNames | undefined {
  const [names, setNames] = useState(countryNames)
  useEffect(
    () =>
      whenIdle(() => {
        if (countryNames?.resolvedOptions().locale !== locale)
          countryNames = new Intl.DisplayNames(locale, { type: 'region' })
        setNames(countryNames)
      }),
    [locale],
  )
  return names
}

let countryNames: Intl.DisplayNames | undefined

type CountryOption = { value: string; label: string }
