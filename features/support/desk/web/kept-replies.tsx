import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import type { CannedReply } from '#features/support/desk/contract.ts'
import { fillReply } from '#features/support/desk/rules.ts'
import { oneLine } from '#features/support/tickets/rules.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { deleteReply, useReplies } from './reply-hooks.ts'
import { ChangeReply, NewReply } from './reply-form.tsx'

/** The dialog in which staff write, change and delete canned replies, which all staff share. */
export function KeptReplies({ open, onClose }: DialogProps) {
  const [edited, setEdited] = useState<CannedReply | 'new'>()
  const { data } = useReplies()
  // The list holds the version that a colleague may have saved meanwhile.
  const present = data?.items.find(({ id }) => edited !== 'new' && id === edited?.id)
  const title =
    edited === undefined
      ? m.desk_replies()
      : edited === 'new'
        ? m.desk_reply_new()
        : m.desk_reply_edit({ title: edited.title })
  return (
    <Dialog open={open} onClose={edited ? () => setEdited(undefined) : onClose} title={title} wide>
      {edited === 'new' ? (
        <NewReply onDone={() => setEdited(undefined)} />
      ) : edited ? (
        <ChangeReply reply={present ?? edited} onDone={() => setEdited(undefined)} />
      ) : (
        <div className="flex flex-col items-start gap-4">
          {data?.items.length === 0 ? (
            <p className="text-sm text-muted">{m.desk_replies_none()}</p>
          ) : (
            <div className="max-h-96 w-full overflow-y-auto">
              <List label={m.desk_replies()}>
                {data?.items.map((reply) => (
                  <Row key={reply.id} reply={reply} onEdit={() => setEdited(reply)} />
                ))}
              </List>
            </div>
          )}
          <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => setEdited('new')}>
            {m.desk_reply_new()}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

/** Deleting asks for confirmation in place: it affects all staff, and cannot be undone. */
function Row({ reply, onEdit }: { reply: CannedReply; onEdit: () => void }) {
  const [asking, setAsking] = useState(false)
  const { id, title, text, language } = reply
  const remove = useAct(async () => {
    const answer = await deleteReply(id)
    // A 404 counts as success: someone else deleted it.
    if (answer.status === 204 || answer.status === 404) toastSuccess(m.desk_reply_deleted)
    else toastError(m.desk_reply_delete_failed, answer)
  })
  return (
    <ListRow
      title={title}
      badge={<Badge>{language.toUpperCase()}</Badge>}
      detail={
        <span className="line-clamp-2">
          {oneLine(fillReply(text, { customer: m.desk_card(), me: m.desk_assignee_me() }))}
        </span>
      }
      actions={
        asking ? (
          <>
            <Button size="small" onClick={() => setAsking(false)}>
              {m.ui_cancel()}
            </Button>
            <Button size="small" look="danger" pending={remove.pending} onClick={remove.run}>
              {m.desk_reply_delete_sure()}
            </Button>
          </>
        ) : (
          <>
            <IconButton
              label={m.desk_reply_edit({ title })}
              icon={<Pencil size={16} aria-hidden="true" />}
              onClick={onEdit}
            />
            <IconButton
              label={m.desk_reply_delete({ title })}
              icon={<Trash2 size={16} aria-hidden="true" />}
              onClick={() => setAsking(true)}
            />
          </>
        )
      }
    />
  )
}
