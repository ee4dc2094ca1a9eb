import Ellipsis from 'lucide-react/icons/ellipsis'
import Split from 'lucide-react/icons/split'
import Trash from 'lucide-react/icons/trash-2'
import type { Message } from '#features/support/tickets/contract.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import type { Conversation } from './conversation.ts'

const SplitDialog = lazyPart(() => import('./split-dialog.tsx').then((file) => file.SplitDialog))
const RemoveDialog = lazyPart(() => import('./remove-dialog.tsx').then((file) => file.RemoveDialog))

type Props = { message: Message; conversation: Conversation; by_staff: boolean; own: boolean }

/** The menu of a message that was sent: its author removes it, and staff any. */
export function MessageMenu({ message, conversation, by_staff, own }: Props) {
  const removal = useLazyDialog(RemoveDialog)
  const splitting = useLazyDialog(SplitDialog)
  const isEmpty = message.redacted?.text === true
  if (!(own || by_staff) || isEmpty || message.moved || onlyReads()) return null
  return (
    <>
      <Menu
        label={m.messages_acts()}
        align="end"
        triggerClass="inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
        trigger={<Ellipsis size={15} aria-hidden="true" />}
      >
        {by_staff && message.kind === 'comment' && message.seq > 1 ? (
          <MenuItem icon={<Split size={15} aria-hidden="true" />} onSelect={splitting.show}>
            {m.messages_split()}
          </MenuItem>
        ) : null}
        <MenuItem tone="danger" icon={<Trash size={15} aria-hidden="true" />} onSelect={removal.show}>
          {m.messages_remove()}
        </MenuItem>
      </Menu>
      {splitting.open ? (
        <SplitDialog message={message} chat_id={conversation.chat_id} {...splitting.dialog} />
      ) : null}
      {removal.open ? (
        <RemoveDialog message={message} conversation={conversation} {...removal.dialog} />
      ) : null}
    </>
  )
}
