import { getTicket, MESSAGE_CREATED, TICKET_CHANGED } from '#features/support/tickets/contract.ts'
import type { TicketEvent } from '#features/support/tickets/web/unread.ts'
import { keyOf, queryClient } from '#foundation/web/api/query.ts'
import { onReconnect, type LiveReaction } from '#foundation/web/realtime/subscriptions.ts'
import { flushOutbox } from './sender.ts'

// Messages that waited since the last visit are sent as soon as the user is back, on any page.
flushOutbox()
window.addEventListener('online', flushOutbox)
onReconnect(flushOutbox)

/** Marks a ticket whose page is not open as outdated: only an open page follows its events. */
function outdate({ chat_id }: TicketEvent): void {
  const queryKey = keyOf(getTicket, { params: { chatId: String(chat_id) } })
  void queryClient.invalidateQueries({ queryKey, type: 'inactive', refetchType: 'none' })
}

export const live: readonly LiveReaction[] = [
  [TICKET_CHANGED, outdate],
  [MESSAGE_CREATED, outdate],
]
