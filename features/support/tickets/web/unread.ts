import { getTicket } from '#features/support/tickets/contract.ts'
import { keepData } from '#foundation/web/api/keep.ts'
import { keyOf, queryClient } from '#foundation/web/api/query.ts'

/** A live event of a ticket, with the fields that contract.ts names. */
export type TicketEvent = Readonly<Record<string, unknown>>

/**
 * The pauses between two fetches of the lists, and of the counts. With fifty messages a second, a fetch for each would cancel the one
 * before.
 */
export const LIST_PAUSE_MS = 1000
export const COUNT_PAUSE_MS = 5000
/** The time that a reader is given to read a message in a visible chat. */
const LOOKING_MS = 3000

/** Calls `count` at once; but if the chat of the message is in view, only if the message is still unread after `LOOKING_MS`. */
export function unlessRead({ chat_id, seq }: TicketEvent, count: () => void): void {
  const queryKey = keyOf(getTicket, { params: { chatId: chat_id } })
  const isOpen = queryClient.getQueryCache().find({ queryKey })?.isActive() ?? false
  if (!isOpen || document.visibilityState !== 'visible' || !document.hasFocus()) return count()
  keepData<Unread>(
    queryKey,
    (ticket) => ticket && { ...ticket, unread: ticket.unread + 1, last_seq: Number(seq) },
  )
  setTimeout(() => {
    if ((queryClient.getQueryData<Unread>(queryKey)?.unread ?? 1) > 0) count()
  }, LOOKING_MS)
}

type Unread = { unread: number; last_seq: number }

/** Returns a function that runs `work` at once, then at most once per pause, and once more after the last call. */
export function paced(pause_ms: number, work: () => void): () => void {
  let pausing: ReturnType<typeof setTimeout> | undefined
  let missed = false
  const ask = (): void => {
    missed = pausing !== undefined
    if (missed) return
    work()
    pausing = setTimeout(() => {
      pausing = undefined
      if (missed) ask()
    }, pause_ms)
  }
  return ask
}
