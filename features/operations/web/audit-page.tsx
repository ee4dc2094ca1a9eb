import { List } from '#foundation/web/ui/list.tsx'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import ScrollText from 'lucide-react/icons/scroll-text'
import { listAudit } from '#features/operations/contract.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { useTitle } from '#foundation/web/title.ts'
import { isEmpty } from '#foundation/web/url-filter.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { AuditEntryRow } from './audit-entry-row.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { queryOf, useAuditFilter } from './filter.ts'

/** Everything that was recorded, for an operator who has to find out who did what. */
export function AuditPage() {
  const [filter, change, clear] = useAuditFilter()
  useTitle(m.operations_audit())
  const pages = useInfiniteQuery({
    ...pagedQueryFor(listAudit, { query: queryOf(filter) }),
    placeholderData: keepPreviousData,
  })
  const showAll = isEmpty(filter) ? undefined : (
    <Button onClick={clear}>{m.operations_audit_show_all()}</Button>
  )
  return (
    <Page title={m.operations_audit()} description={m.operations_audit_description()}>
      <AuditFilters filter={filter} onChange={change} />
      <LoadedList
        query={pages}
        failed={m.operations_audit_failed()}
        none={
          <EmptyState
            icon={<ScrollText size={20} aria-hidden="true" />}
            title={m.operations_audit_none()}
            action={showAll}
          >
            {m.operations_audit_none_text()}
          </EmptyState>
        }
      >
        {(entries) => (
          <List label={m.operations_audit()} isOutdated={pages.isPlaceholderData}>
            {entries.map((entry) => (
              <AuditEntryRow key={entry.id} entry={entry} />
            ))}
          </List>
        )}
      </LoadedList>
    </Page>
  )
}
