import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import FilePlus2 from 'lucide-react/icons/file-plus-2'
import { listExports } from '#features/books/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List } from '#foundation/web/ui/list.tsx'
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
      <div className="flex flex-col gap-4">
        <LoadedList
          query={pages}
          failed={m.books_exports_failed()}
          waiting="h-24"
          none={m.books_exports_none()}
        >
          {(exports) => (
            <List label={m.books_exports()}>
              {exports.map((one) => (
                <ExportRow key={one.id} export={one} mayFetch={mayExport} />
              ))}
            </List>
          )}
        </LoadedList>
      </div>
      {asking.open ? <NewExport {...asking.dialog} /> : null}
    </Card>
  )
}
