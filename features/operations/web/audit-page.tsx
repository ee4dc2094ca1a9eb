import { List } from '#foundation/web/ui/list.tsx'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import ScrollText from 'lucide-react/icons/scroll-text'
import { listAudit } from '#features/operations/contract.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { useTitle } from '#foundation/web/title.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { LoadMore } from '#foundation/web/ui/load-more.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { AuditEntryRow } from './audit-entry-row.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { EVERYTHING, narrows, queryOf, useAuditFilter, type AuditFilter } from './filter.ts'

/** Everything that was recorded, for an operator who has to find out who did what. */
export function AuditPage() {
  const [filter, change] = useAuditFilter()
  useTitle(m.operations_audit())
  return (
    <Page title={m.operations_audit()} description={m.operations_audit_description()}>
      <AuditFilters filter={filter} onChange={change} />
      <Entries filter={filter} onShowAll={() => change(EVERYTHING)} />
    </Page>
  )
}

function Entries({ filter, onShowAll }: { filter: AuditFilter; onShowAll: () => void }) {
  const pages = useInfiniteQuery({
    ...pagedQueryFor(listAudit, { query: queryOf(filter) }),
    placeholderData: keepPreviousData,
  })
  const entries = pages.data?.pages.flatMap(({ items }) => items)
  if (entries?.length === 0)
    return (
      <EmptyState
        icon={<ScrollText size={20} aria-hidden="true" />}
        title={m.operations_audit_none()}
        action={
          narrows(filter) ? <Button onClick={onShowAll}>{m.operations_audit_show_all()}</Button> : undefined
        }
      >
        {m.operations_audit_none_text()}
      </EmptyState>
    )
  if (entries)
    return (
      <>
        <List label={m.operations_audit()} isOutdated={pages.isPlaceholderData}>
          {entries.map((entry) => (
            <AuditEntryRow key={entry.id} entry={entry} />
          ))}
        </List>
        <LoadMore pages={pages} />
      </>
    )
  if (pages.error)
    return (
      <ErrorState
        title={m.operations_audit_failed()}
        error={pages.error}
        onRetry={() => void pages.refetch()}
      />
    )
  return (
    <Loading>
      <div className="flex flex-col gap-2">
        {[0, 1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="h-16 rounded-lg" />
        ))}
      </div>
    </Loading>
  )
}
