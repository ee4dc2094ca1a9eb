import { useMemo } from 'react'
import { useLocale } from './locale.ts'

/** Returns countries (ISO 3166-1 alpha-2) with their names as options, in the order of the language. */
export function useRegionOptions(codes: readonly string[]): { value: string; label: string }[] {
  const locale = useLocale()
  return useMemo(() => {
    const display = new Intl.DisplayNames(locale, { type: 'region' })
    const { compare } = new Intl.Collator(locale)
    return codes
      .map((value) => ({ value, label: display.of(value) ?? value }))
      .toSorted((one, other) => compare(one.label, other.label))
  }, [locale, codes])
}
