import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listMessages } from '#features/support/messages/contract.ts'
import { undoTicketMerge, type Message, type Ticket } from '#features/support/tickets/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { toast, toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { keepTicket } from './hooks.ts'
import { addressOf } from './ticket-address.ts'
import { EventRow, MessageContent, nameOf, NoteBadge } from './message-row.tsx'

type Props = { ticket: Ticket; by_staff: boolean }

/** Undoes the merge of a ticket, for staff and while it is possible. */
export function UndoMerge({ ticket: { merged_into, id } }: { ticket: Ticket }) {
  const [now] = useState(() => Date.now())
  const undoing = useAct(async () => {
    const answer = await call(undoTicketMerge, { params: { chatId: id } })
    if (answer.status !== 200) {
      toastError(m.messages_update_failed, answer)
      return
    }
    keepTicket(answer, answer.body)
    toast({ type: 'success', message: m.messages_merge_undone_toast })
  })
  return merged_into && Date.parse(merged_into.undo_until) > now ? (
    <Button
      size="small"
      pending={undoing.pending}
      title={m.messages_undo_until({ time: formatDateTime(merged_into.undo_until) })}
      onClick={undoing.run}
    >
      {m.messages_undo_merge()}
    </Button>
  ) : null
}

/** The conversations of the tickets that were merged into this one, folded; each is loaded when it is opened. */
export function MergedConversations({ ticket, by_staff }: Props) {
  if (!ticket.merged) return null
  return (
    <div className="flex flex-col gap-1">
      {ticket.merged.map((one) => (
        <Folded key={one.id} {...one} by_staff={by_staff} />
      ))}
    </div>
  )
}

type FoldedProps = { id: string; number: number; by_staff: boolean }

function Folded({ id, number, by_staff }: FoldedProps) {
  const [opened, setOpened] = useState(false)
  return (
    <details
      className="rounded-lg border border-line bg-surface text-sm"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary className="cursor-pointer px-3 py-2 font-medium">
        {m.messages_conversation_of({ number: String(number) })}
      </summary>
      <div className="flex max-h-96 flex-col gap-2 overflow-y-auto px-3 pb-3">
        {opened ? <Content id={id} by_staff={by_staff} /> : null}
        <TextLink to={addressOf(id, by_staff)}>{m.messages_to_ticket({ number: String(number) })}</TextLink>
      </div>
    </details>
  )
}

function Content({ id, by_staff }: { id: string; by_staff: boolean }) {
  const query = useQuery(queryFor(listMessages, { params: { chatId: id }, query: { limit: '100' } }))
  return (
    <Loaded query={query} failed={m.messages_fetch_failed()} waiting={<div className="h-16" />}>
      {({ items }) => {
        const earlier = (items[0]?.seq ?? 1) - 1
        return (
          <>
            {earlier > 0 ? <p className="text-muted">{m.messages_earlier({ count: earlier })}</p> : null}
            <ol className="flex flex-col gap-3">
              {items.map((message) => (
                <li key={message.seq}>
                  {message.kind === 'event' ? (
                    <EventRow message={message} />
                  ) : (
                    <Said message={message} chat_id={id} by_staff={by_staff} />
                  )}
                </li>
              ))}
            </ol>
          </>
        )
      }}
    </Loaded>
  )
}

function Said({ message, chat_id, by_staff }: { message: Message; chat_id: string; by_staff: boolean }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <span>{`${nameOf(message.author)} · ${formatDateTime(message.created_at)}`}</span>
        {message.kind === 'note' ? <NoteBadge /> : null}
      </p>
      <MessageContent message={message} chat_id={chat_id} own={false} by_staff={by_staff} />
    </>
  )
}
