import ScrollText from 'lucide-react/icons/scroll-text'
import { useState } from 'react'
import { listAudit } from '#features/operations/contract.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useTitle } from '#foundation/web/title.ts'
import { isEmpty } from '#foundation/web/url-filter.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { auditColumns } from './audit-columns.tsx'
import { AuditDetails } from './audit-details.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { queryOf, useAuditFilter } from './filter.ts'
import { foldSignIns, type Entry } from './fold-sign-ins.ts'

/** Everything that was recorded, for an operator who has to find out who did what. */
export function AuditPage() {
  const [filter, change, clear] = useAuditFilter()
  useTitle(m.operations_audit())
  const [opened, setOpened] = useState<Entry>()
  const { sort, ...narrowing } = filter
  const showAll = isEmpty(narrowing) ? undefined : (
    <Button onClick={clear}>{m.operations_audit_show_all()}</Button>
  )
  return (
    <Page title={m.operations_audit()} description={m.operations_audit_description()}>
      <AuditFilters filter={filter} onChange={change} />
      <DataTable
        name="audit"
        label={m.operations_audit()}
        list={useList(listAudit, { query: queryOf(filter) })}
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
        idOf={({ id }) => id}
        columns={auditColumns(setOpened)}
        sorted={sort ?? ''}
        onSort={(order) => change({ sort: order })}
        {...(filter.act === undefined ? { fold: foldSignIns } : {})}
      />
      {opened ? <AuditDetails entry={opened} onClose={() => setOpened(undefined)} /> : null}
    </Page>
  )
}
