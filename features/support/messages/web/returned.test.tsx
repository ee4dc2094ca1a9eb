import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { afterEach, expect, it } from 'vitest'
import '#app/web/styles.css'
import { getTicketMails } from '#features/support/mail/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { chat_id, me, serverOf, stopServer } from '#tests/web/chat-server.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { Conversation } from './conversation.ts'
import { MessageList } from './message-list.tsx'

afterEach(stopServer)

function Chat({ conversation, by_staff }: { conversation: Conversation; by_staff: boolean }) {
  const shown = useSyncExternalStore(conversation.subscribe, conversation.shown)
  if (shown.state !== 'ready') return null
  return (
    <MessageList
      {...{ conversation, shown, by_staff }}
      waiting={[]}
      reader_id={me}
      typing={undefined}
      onRead={() => {}}
    />
  )
}

// Seen red: the mail about a closing that came back was shown nowhere, as its place is the line of the closing.
it.each([true, false])(
  'K-05 a mail about a closing that came back is shown at its line (by staff: %s)',
  async (by_staff) => {
    const server = serverOf(2)
    Object.assign(server.said[1]!, { kind: 'event', text: '', event: { code: 'closed', params: {} } })
    server.reads.push({ user_id: me, name: '', is_staff: false, seq: 2 })
    const client = new QueryClient()
    const { queryKey } = queryFor(getTicketMails, { params: { chatId: chat_id } })
    const returned = [
      { seq: 2, to: 'anna@example.com', returned_at: '2026-11-29T10:00:00.000Z', reason: '4.4.7' },
    ]
    client.setQueryData(queryKey, { asked: [], returned, suspended: [] })
    const conversation = new Conversation(chat_id)
    const page = await render(
      <QueryClientProvider client={client}>
        <Chat {...{ conversation, by_staff }} />
      </QueryClientProvider>,
    )
    await inAct(() => conversation.open(me))
    const line = page.querySelector('[data-seq="2"]')?.textContent
    expect(line?.includes('anna@example.com')).toBe(by_staff)
  },
)
