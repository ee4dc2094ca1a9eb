import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import FilePlus2 from 'lucide-react/icons/file-plus-2'
import { useState } from 'react'
import { fetchExport, listExports, type BookExport } from '#features/books/contract.ts'
import { quarterOf } from '#features/books/rules.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { download } from '#foundation/web/api/download.ts'
import { pagedQueryFor, queryFor } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatBytes, formatDate, formatDateTime, formatMonth } from '#foundation/web/i18n/format.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPage } from '#foundation/web/lazy-page.tsx'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadMore } from '#foundation/web/ui/load-more.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { exportTexts } from './export-texts.ts'

const NewExport = lazyPage(() => import('./new-export.tsx').then((file) => file.NewExport))

/** The files of the books: asked for here, shown while they are made, and fetched. */
export function Exports() {
  const pages = useInfiniteQuery({
    ...pagedQueryFor(listExports, { query: {} }),
    placeholderData: keepPreviousData,
  })
  const permissions = useQuery(queryFor(getStaffMe)).data?.permissions ?? []
  const mayExport = permissions.includes('books.export')
  const asking = useLazyDialog(NewExport)
  const exports = pages.data?.pages.flatMap(({ items }) => items)
  return (
    <Card
      title={m.books_exports()}
      description={m.books_exports_text()}
      actions={
        mayExport ? (
          <Button icon={<FilePlus2 size={16} aria-hidden="true" />} {...asking.opener}>
            {m.books_export_new()}
          </Button>
        ) : null
      }
    >
      {exports ? (
        exports.length === 0 ? (
          <p className="text-sm text-muted">{m.books_exports_none()}</p>
        ) : (
          <div className="flex flex-col gap-4">
            <List label={m.books_exports()}>
              {exports.map((one) => (
                <ExportRow key={one.id} export={one} mayFetch={mayExport} />
              ))}
            </List>
            <LoadMore pages={pages} />
          </div>
        )
      ) : pages.error ? (
        <ErrorState
          title={m.books_exports_failed()}
          error={pages.error}
          onRetry={() => void pages.refetch()}
        />
      ) : (
        <Loading>
          <Skeleton className="h-24 rounded-lg" />
        </Loading>
      )}
      {asking.open ? <NewExport permissions={permissions} {...asking.dialog} /> : null}
    </Card>
  )
}

function ExportRow({ export: one, mayFetch }: { export: BookExport; mayFetch: boolean }) {
  const { kind, made_by, created_at, bytes, agrees, failure } = one
  const title = `${exportTexts[kind].name()}, ${spanText(one)}`
  const date = formatDateTime(created_at)
  return (
    <ListRow
      title={<span>{title}</span>}
      badge={<StateBadge export={one} />}
      detail={
        <>
          <span className="block">
            {made_by ? m.books_export_by({ name: made_by.name, date }) : m.books_export_by_command({ date })}
            {bytes === null ? null : ` · ${formatBytes(bytes)}`}
          </span>
          {agrees === false ? (
            <span className="block text-danger-text">{m.books_export_differs()}</span>
          ) : null}
          {failure === null ? null : (
            <span className="block text-danger-text">{m.books_export_too_large()}</span>
          )}
        </>
      }
      actions={one.state === 'ready' && mayFetch ? <FetchButton export={one} title={title} /> : null}
    />
  )
}

function StateBadge({ export: { state, expires_at } }: { export: BookExport }) {
  switch (state) {
    case 'waiting': {
      return <Badge>{m.books_export_waiting()}</Badge>
    }
    case 'ready': {
      return (
        <Badge tone="success">
          {m.books_export_ready({ date: expires_at === null ? '' : formatDate(expires_at) })}
        </Badge>
      )
    }
    case 'failed': {
      return <Badge tone="danger">{m.books_export_failed()}</Badge>
    }
    case 'removed': {
      return <Badge>{m.books_export_removed()}</Badge>
    }
    default: {
      return state satisfies never
    }
  }
}

function FetchButton({ export: { id, name }, title }: { export: BookExport; title: string }) {
  const [pending, setPending] = useState(false)
  const { withProof, dialog } = useReauthentication()
  const fetchFile = async () => {
    setPending(true)
    const answer = await withProof(() => download(fetchExport, { params: { exportId: id } }, name ?? ''))
    setPending(false)
    const [error] = answer?.errors ?? []
    if (answer && error) toastError(() => errorText(error), answer)
  }
  return (
    <>
      <Button
        size="small"
        icon={<Download size={16} aria-hidden="true" />}
        pending={pending}
        aria-label={`${m.books_export_fetch()}: ${title}`}
        onClick={() => void fetchFile()}
      >
        {m.books_export_fetch()}
      </Button>
      {dialog}
    </>
  )
}

/** A span as people call it: months, a quarter, or its first and last day. */
function spanText({ kind, from, to }: BookExport): string {
  // The middle of the day is on the same day for every reader.
  const noon = (day: string) => new Date(`${day}T12:00:00`)
  const quarter = kind === 'vat' ? quarterOf(from, to) : undefined
  if (quarter !== undefined) {
    const [year = '', number = ''] = quarter.split('-Q')
    return m.books_quarter_name({ year, number })
  }
  const [first, last] =
    kind === 'datev'
      ? [formatMonth(noon(from)), formatMonth(noon(to))]
      : [formatDate(noon(from)), formatDate(noon(to))]
  return first === last ? first : `${first} – ${last}`
}
