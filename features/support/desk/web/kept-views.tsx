import { useState } from 'react'
import type { DeskView, ViewFilter } from '#features/support/desk/view-contract.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { List } from '#foundation/web/ui/list.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { useFilterWords } from './filter-words.ts'
import { KeptRow } from './kept-row.tsx'
import { ChangeView } from './view-form.tsx'
import { deleteView, useViews } from './view-hooks.ts'

/** The dialog in which staff rename, change and delete their own views and those of the whole team. */
export function KeptViews({ open, onClose, filter }: DialogProps & { filter: ViewFilter }) {
  const [edited, setEdited] = useState<DeskView>()
  const query = useViews()
  // The list holds the version that a colleague may have saved meanwhile.
  const present = query.data?.items.find(({ id }) => id === edited?.id)
  const close = edited ? () => setEdited(undefined) : onClose
  const title = edited ? m.desk_view_edit({ name: edited.name }) : m.desk_views_managed()
  return (
    <Dialog open={open} onClose={close} title={title} wide>
      {edited ? (
        <ChangeView view={present ?? edited} filter={filter} onDone={() => setEdited(undefined)} />
      ) : (
        <Loaded query={query} failed={m.desk_views_failed()}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="text-sm text-muted">{m.desk_views_empty()}</p>
            ) : (
              <div className="max-h-96 w-full overflow-y-auto">
                <List label={m.desk_views_managed()}>
                  {items.map((view) => (
                    <Row key={view.id} view={view} onEdit={() => setEdited(view)} />
                  ))}
                </List>
              </div>
            )
          }
        </Loaded>
      )}
    </Dialog>
  )
}

function Row({ view: { id, name, shared, filter }, onEdit }: { view: DeskView; onEdit: () => void }) {
  const words = useFilterWords()
  return (
    <KeptRow
      title={name}
      badge={<Badge>{shared ? m.desk_view_for_all() : m.desk_view_for_me()}</Badge>}
      detail={words.all(filter)}
      words={{
        edit: m.desk_view_edit({ name }),
        remove: m.desk_view_delete({ name }),
        sure: shared ? m.desk_reply_delete_sure() : m.desk_view_delete_sure(),
      }}
      onEdit={onEdit}
      remove={() => deleteView(id)}
      told={{ deleted: m.desk_view_deleted, failed: m.desk_view_delete_failed }}
    />
  )
}
