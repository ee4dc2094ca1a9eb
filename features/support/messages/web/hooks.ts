import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { markRead, tellTyping } from '#features/support/messages/contract.ts'
import * as contract from '#features/support/tickets/contract.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { reloadTicketLists } from '#features/support/tickets/web/ticket-lists.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer, keepData, showAtOnce } from '#foundation/web/api/keep.ts'
import { keyOf, queryClient, queryFor } from '#foundation/web/api/query.ts'
import type { Answered } from '#foundation/web/api/seen.ts'
import { onReconnect } from '#foundation/web/realtime/subscriptions.ts'
import { untilSent } from './outbox.ts'

const ticket = (chatId: string) => queryFor(contract.getTicket, { params: { chatId } })

export const useTicket = (chatId: string) => useQuery(ticket(chatId))

export const prefetchTicket = (chatId: string) => queryClient.query(ticket(chatId))

/** Shows the ticket that an action has returned, and reloads the lists that may hold it. */
export function keepTicket(answered: Answered, changed: Ticket): void {
  keepAnswer(answered, keyOf(contract.getTicket, { params: { chatId: changed.id } }), changed)
  reloadTicketLists()
}

/** Shows the values of a ticket that an event has brought. */
export const patchTicket = (chatId: string, patch: Partial<Ticket>): void =>
  keepData<Ticket>(ticket(chatId).queryKey, (known) => known && { ...known, ...patch })

export const reloadTicket = (chatId: string): void =>
  void queryClient.invalidateQueries({ queryKey: ticket(chatId).queryKey })

/** Closes a ticket after what was written before: a message that is still on its way would open it again. */
export const closeTicket = ({ id: chatId }: Pick<Ticket, 'id'>) =>
  showState(chatId, { status: 'closed', closed_at: new Date().toISOString() }, async () => {
    await untilSent(chatId)
    return call(contract.closeTicket, { params: { chatId } })
  })

export const reopenTicket = ({ id: chatId, assignee }: Pick<Ticket, 'id' | 'assignee'>) =>
  showState(chatId, { status: assignee ? 'in-progress' : 'opened', closed_at: null }, () =>
    call(contract.reopenTicket, { params: { chatId } }),
  )

/** Closing and opening again undo each other, so both are shown at once. */
const showState = <A extends { status: number }>(
  chatId: string,
  state: Partial<Ticket>,
  send: () => Promise<A>,
): Promise<A> => showAtOnce<Ticket, A>(ticket(chatId).queryKey, state, send)

/** The pause between two calls that publish the read mark. */
const READ_PAUSE_MS = 2000

/**
 * Returns a function that sends the reader's mark: at once, then at most every two seconds, and for the last time when the page is left.
 * A mark that has passed only messages of the reader's own goes with the next one: nobody waits for it, and the next one would wait for its
 * two seconds.
 */
export function useMarkRead(chatId: string): (seq: number, byOthers: boolean) => void {
  const mark = useMemo(() => new Mark(chatId), [chatId])
  useEffect(() => {
    const leave = () => mark.tellNow()
    window.addEventListener('pagehide', leave)
    const stop = onReconnect(leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      stop()
      leave()
    }
  }, [mark])
  return mark.raise
}

class Mark {
  readonly #chatId: string
  #wanted = 0
  #told = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #last_ms = -Infinity

  constructor(chatId: string) {
    this.#chatId = chatId
  }

  readonly raise = (seq: number, byOthers: boolean): void => {
    this.#wanted = Math.max(this.#wanted, seq)
    if (!byOthers) return
    const wait_ms = this.#last_ms + READ_PAUSE_MS - performance.now()
    if (wait_ms <= 0) this.tellNow()
    else this.#timer ??= setTimeout(() => this.tellNow(), wait_ms)
  }

  tellNow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const seq = this.#wanted
    if (seq <= this.#told || onlyReads()) return
    this.#told = seq
    this.#last_ms = performance.now()
    const input = { params: { chatId: this.#chatId }, body: { seq } }
    void call(markRead, input, { keepalive: true }).then((answer) => {
      // A failed read mark is sent with the next one, or when the stream is back.
      if (answer.status !== 204) return void (this.#told = 0)
      noteRead(answer, this.#chatId, seq)
      reloadTicketLists()
      return undefined
    })
  }
}

/**
 * Notes in the cached ticket that all of its messages are read: the counts of unread messages look there
 * (features/support/tickets/web/unread.ts).
 */
function noteRead(answered: Answered, chatId: string, seq: number): void {
  keepAnswer<Ticket>(answered, ticket(chatId).queryKey, (known) =>
    known && seq >= known.last_seq ? { ...known, unread: 0 } : known,
  )
}

const TYPING_PAUSE_MS = 3000

/** Publishes to the other side that the user is typing, at most every three seconds. */
export function usePublishTyping(chatId: string): () => void {
  const last = useRef(0)
  return useCallback(() => {
    if (Date.now() - last.current < TYPING_PAUSE_MS) return
    last.current = Date.now()
    void call(tellTyping, { params: { chatId } })
  }, [chatId])
}
