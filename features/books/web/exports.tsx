import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import FilePlus2 from 'lucide-react/icons/file-plus-2'
import { listExports } from '#features/books/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { List } from '#foundation/web/ui/list.tsx'
import { LoadMore } from '#foundation/web/ui/load-more.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { ExportRow } from './export-row.tsx'

const NewExport = lazyPart(() => import('./new-export.tsx').then((file) => file.NewExport))

/** The exported files of the books. Staff ask for a file here, see its state, and download it. */
export function Exports() {
  const pages = useInfiniteQuery({
    ...pagedQueryFor(listExports, { query: {} }),
    placeholderData: keepPreviousData,
  })
  const mayExport = useMay('books.export')
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
      {asking.open ? <NewExport {...asking.dialog} /> : null}
    </Card>
  )
}
