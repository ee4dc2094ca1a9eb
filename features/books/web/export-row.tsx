import Download from 'lucide-react/icons/download'
import { askForExport, fetchExport, listExports, type BookExport } from '#features/books/contract.ts'
import { quarterOf } from '#features/books/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { download } from '#foundation/web/api/download.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatBytes, formatDate, formatDateTime, formatMonth } from '#foundation/web/i18n/format.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { exportTexts } from './export-texts.ts'

/** The row of one file: its kind and days, its state, the member of staff who asked for it, and its failure. */
export function ExportRow({ export: one, mayFetch }: { export: BookExport; mayFetch: boolean }) {
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
            <span>
              {made_by ? m.books_export_by({ name: made_by.name, date }) : m.books_export_by_former({ date })}
            </span>
            {bytes === null ? null : <span>{` · ${formatBytes(bytes)}`}</span>}
          </span>
          {agrees === false ? (
            <span className="block text-danger-text">{m.books_export_differs()}</span>
          ) : null}
          {failure === null ? null : (
            <span className="block text-danger-text">{failureTexts[failure]()}</span>
          )}
        </>
      }
      actions={mayFetch ? <Action export={one} title={title} /> : null}
    />
  )
}

const failureTexts = { too_large: m.books_export_too_large, gave_up: m.books_export_gave_up } as const

function Action({ export: one, title }: { export: BookExport; title: string }) {
  if (one.state === 'ready') return <FetchButton export={one} title={title} />
  return one.failure === 'gave_up' ? <AgainButton export={one} title={title} /> : null
}

/** The button that asks for the same file anew; the failed file stays in the list. */
function AgainButton({ export: { kind, from, to }, title }: { export: BookExport; title: string }) {
  const { withProof, dialog } = useReauthentication()
  const ask = useAct(async () => {
    const answer = await withProof(() => call(askForExport, { body: { kind, from, to } }))
    const [error] = answer?.errors ?? []
    if (answer && error) toastError(() => errorText(error), answer)
    else if (answer) toastSuccess(() => m.books_export_asked())
    refreshQueries(listExports)
  })
  return (
    <>
      <Button
        size="small"
        pending={ask.pending}
        aria-label={m.books_export_again_of({ file: title })}
        onClick={ask.run}
      >
        {m.books_export_again()}
      </Button>
      {dialog}
    </>
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
  const { withProof, dialog } = useReauthentication()
  const fetchFile = useAct(async () => {
    const answer = await withProof(() => download(fetchExport, { params: { exportId: id } }, name ?? ''))
    const [error] = answer?.errors ?? []
    if (answer && error) toastError(() => errorText(error), answer)
  })
  return (
    <>
      <Button
        size="small"
        icon={<Download size={16} aria-hidden="true" />}
        pending={fetchFile.pending}
        aria-label={`${m.books_export_fetch()}: ${title}`}
        onClick={fetchFile.run}
      >
        {m.books_export_fetch()}
      </Button>
      {dialog}
    </>
  )
}

/** Names the span of a file as people do: by months, a quarter, or the first and last day. */
function spanText({ kind, from, to }: BookExport): string {
  // Noon falls on the same day in the time zone of every reader.
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
