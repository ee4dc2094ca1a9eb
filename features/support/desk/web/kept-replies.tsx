import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { CannedReply } from '#features/support/desk/contract.ts'
import { fillReply } from '#features/support/desk/rules.ts'
import { oneLine } from '#features/support/tickets/rules.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { List } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { KeptRow } from './kept-row.tsx'
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

function Row({ reply: { id, title, text, language }, onEdit }: { reply: CannedReply; onEdit: () => void }) {
  return (
    <KeptRow
      title={title}
      badge={<Badge>{language.toUpperCase()}</Badge>}
      detail={
        <span className="line-clamp-2">
          {oneLine(fillReply(text, { customer: m.desk_card(), me: m.desk_assignee_me() }))}
        </span>
      }
      words={{
        edit: m.desk_reply_edit({ title }),
        remove: m.desk_reply_delete({ title }),
        sure: m.desk_reply_delete_sure(),
      }}
      onEdit={onEdit}
      remove={() => deleteReply(id)}
      told={{ deleted: m.desk_reply_deleted, failed: m.desk_reply_delete_failed }}
    />
  )
}
