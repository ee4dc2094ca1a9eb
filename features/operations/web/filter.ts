import { paths } from '#features/paths.ts'
import { timesOf } from '#foundation/web/i18n/days.ts'
import { anyText, oneOf, useUrlFilter, type ChangeOf, type FilterOf } from '#foundation/web/url-filter.ts'

const shape = {
  q: anyText,
  person: anyText,
  actor: anyText,
  act: anyText,
  ip: anyText,
  from: anyText,
  to: anyText,
  sort: oneOf(['oldest']),
}

export type AuditFilter = FilterOf<typeof shape>
export type AuditChange = ChangeOf<typeof shape>

export const useAuditFilter = () => useUrlFilter(shape, paths.audit)

/** The filter in the form that the API takes. */
export const queryOf = ({ from, to, ...rest }: AuditFilter) => ({ ...rest, ...timesOf({ from, to }) })
