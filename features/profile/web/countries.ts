import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { listCountries } from '#features/profile/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useLocale, type Locale } from '#foundation/web/i18n/locale.ts'
import { whenIdle } from '#foundation/web/when-idle.ts'

const countries = { ...queryFor(listCountries), staleTime: Infinity }

/**
 * The countries by their names in the present language, in its order. Until the whole list is wanted and has
 * loaded, it holds only the countries already chosen: naming and sorting 250 takes a phone longer than the
 * rest of the page. A chosen one stays: a select whose option vanishes shows none, and the form would take
 * that for a change (rule 45).
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

/** The browser's own names of countries. Reading them in takes a phone 70 ms: the page comes first. */
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
