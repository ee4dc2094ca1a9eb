import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import type { DeskView, ViewFilter } from '#features/support/desk/view-contract.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { useFilterWords } from './filter-words.ts'
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

/** Deleting asks for confirmation in place: it may affect the whole team, and cannot be undone. */
function Row({ view, onEdit }: { view: DeskView; onEdit: () => void }) {
  const [asking, setAsking] = useState(false)
  const words = useFilterWords()
  const { id, name, shared, filter } = view
  const remove = useAct(async () => {
    const answer = await deleteView(id)
    // A 404 counts as success: someone else deleted it.
    if (answer.status === 204 || answer.status === 404) toastSuccess(m.desk_view_deleted)
    else toastError(m.desk_view_delete_failed, answer)
  })
  return (
    <ListRow
      title={name}
      badge={<Badge>{shared ? m.desk_view_for_all() : m.desk_view_for_me()}</Badge>}
      detail={words.all(filter)}
      actions={
        asking ? (
          <>
            <Button size="small" onClick={() => setAsking(false)}>
              {m.ui_cancel()}
            </Button>
            <Button size="small" look="danger" pending={remove.pending} onClick={remove.run}>
              {shared ? m.desk_reply_delete_sure() : m.desk_view_delete_sure()}
            </Button>
          </>
        ) : (
          <>
            <IconButton
              label={m.desk_view_edit({ name })}
              icon={<Pencil size={16} aria-hidden="true" />}
              onClick={onEdit}
            />
            <IconButton
              label={m.desk_view_delete({ name })}
              icon={<Trash2 size={16} aria-hidden="true" />}
              onClick={() => setAsking(true)}
            />
          </>
        )
      }
    />
  )
}
