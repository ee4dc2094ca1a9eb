import { Suspense, type ReactNode } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { CallError } from '#foundation/web/api/query.ts'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useMarkRead } from './hooks.ts'
import { Interrupted } from './interrupted.tsx'
import { MergedNotice } from './merged-notice.tsx'
import { MessageList } from './message-list.tsx'
import { useConversation, useTyping } from './use-conversation.ts'

// Few tickets were merged.
const MergedConversations = lazyPart<MergedProps>(() =>
  import('./merged-parts.tsx').then((file) => file.MergedConversations),
)

type MergedProps = { ticket: Ticket; by_staff: boolean }

type Props = {
  ticket: Ticket
  /** The other side's name, for "… is typing". */
  typist: string
  children: ReactNode
}

/** The conversation of a ticket, with the fields to write in below it. */
export function Chat({ ticket, typist, children }: Props) {
  const { conversation, shown, waiting } = useConversation(ticket.id)
  const by_staff = ticket.customer !== undefined
  const typing = useTyping(ticket.id, { by_staff: !by_staff })
  const onRead = useMarkRead(ticket.id)
  const reader_id = storedSession.user()?.id ?? ''
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-2">
      {ticket.merged ? (
        <Suspense fallback={<div className="h-10" />}>
          <MergedConversations ticket={ticket} by_staff={by_staff} />
        </Suspense>
      ) : null}
      <div className="flex min-h-0 flex-1 flex-col">
        <Loaded
          query={{
            data: shown.state === 'ready' ? shown : undefined,
            error: shown.state === 'failed' && (shown.failure ? new CallError(shown.failure) : true),
            refetch: () => conversation.open(reader_id),
          }}
          failed={m.messages_fetch_failed()}
          waiting={
            <div className="flex flex-col gap-3 pt-6">
              <Skeleton className="h-16 w-2/3 rounded-lg" />
              <Skeleton className="ml-auto h-12 w-1/2 rounded-lg" />
              <Skeleton className="h-20 w-3/5 rounded-lg" />
            </div>
          }
        >
          {(ready) => (
            <MessageList
              conversation={conversation}
              shown={ready}
              waiting={waiting}
              reader_id={reader_id}
              by_staff={by_staff}
              typing={typing ? m.messages_typing({ name: typist }) : undefined}
              onRead={onRead}
            />
          )}
        </Loaded>
      </div>
      <Interrupted conversation={conversation} />
      <MergedNotice ticket={ticket} by_staff={by_staff} />
      <div className="contents">{children}</div>
    </div>
  )
}
