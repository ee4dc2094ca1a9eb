import { paths } from '#features/paths.ts'
import { timesOf } from '#foundation/web/i18n/days.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'

const names = ['q', 'person', 'actor', 'act', 'ip', 'from', 'to'] as const

/** The filter of the audit as the page's URL keeps it. Days are like `2026-01-31`; '' means no filter. */
export type AuditFilter = Record<(typeof names)[number], string>

/**
 * Returns the filter and a function that changes a part of it. The URL keeps the filter, so that a reload, a bookmark and 'Back'
 * show the same entries.
 */
export function useAuditFilter(): [AuditFilter, (change: Partial<AuditFilter>) => void] {
  const go = useGo()
  const filter = {
    q: useQueryValue('q') ?? '',
    person: useQueryValue('person') ?? '',
    actor: useQueryValue('actor') ?? '',
    act: useQueryValue('act') ?? '',
    ip: useQueryValue('ip') ?? '',
    from: useQueryValue('from') ?? '',
    to: useQueryValue('to') ?? '',
  }
  const change = (part: Partial<AuditFilter>) =>
    void go(paths.audit(setOnes({ ...filter, ...part })), { replace: true, resetScroll: false })
  return [filter, change]
}

export const EVERYTHING: AuditFilter = { q: '', person: '', actor: '', act: '', ip: '', from: '', to: '' }

export const narrows = (filter: AuditFilter): boolean => names.some((name) => filter[name] !== '')

/** The filter in the form that the API takes. */
export const queryOf = ({ from, to, ...rest }: AuditFilter) => ({
  ...setOnes(rest),
  ...timesOf({ from, to }),
})

/** Returns only the values that are set, always in the same order, so that equal filters share one entry of the cache. */
const setOnes = (values: Partial<AuditFilter>): Partial<AuditFilter> =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = values[name]
      return value ? [[name, value]] : []
    }),
  )
