import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState, type ReactNode } from 'react'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'

type Props = {
  title: string
  badge: ReactNode
  detail: ReactNode
  /** The names of the buttons; `sure` is that of the second press. */
  words: { edit: string; remove: string; sure: string }
  onEdit: () => void
  remove: () => Promise<NonNullable<Parameters<typeof toastError>[1]> & { status: number }>
  /** The texts of the toasts. */
  told: { deleted: () => string; failed: () => string }
}

/** Something that staff keep, to change and to delete. Deleting asks for confirmation in place: it may affect all staff, and cannot be undone. */
export function KeptRow({ title, badge, detail, words, onEdit, remove, told }: Props) {
  const [asking, setAsking] = useState(false)
  const removal = useAct(async () => {
    const answer = await remove()
    // A 404 counts as success: someone else deleted it.
    if (answer.status === 204 || answer.status === 404) toastSuccess(told.deleted)
    else toastError(told.failed, answer)
  })
  return (
    <ListRow
      title={title}
      badge={badge}
      detail={detail}
      actions={
        asking ? (
          <>
            <Button size="small" onClick={() => setAsking(false)}>
              {m.ui_cancel()}
            </Button>
            <Button size="small" look="danger" pending={removal.pending} onClick={removal.run}>
              {words.sure}
            </Button>
          </>
        ) : (
          <>
            <IconButton label={words.edit} icon={<Pencil size={16} aria-hidden="true" />} onClick={onEdit} />
            <IconButton
              label={words.remove}
              icon={<Trash2 size={16} aria-hidden="true" />}
              onClick={() => setAsking(true)}
            />
          </>
        )
      }
    />
  )
}
