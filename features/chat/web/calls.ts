import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { tellTyping } from '#features/chat/contract.ts'
import * as contract from '#features/tickets/contract.ts'
import type { Ticket } from '#features/tickets/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keyOf, queryClient, reading, refreshQueries } from '#foundation/web/api/query.ts'
import { onBack } from '#foundation/web/realtime/live.ts'

const ticket = (chatId: string) => reading(contract.getTicket, { params: { chatId } })

export const useTicket = (chatId: string) => useQuery(ticket(chatId))

export const prefetchTicket = (chatId: string) => queryClient.query(ticket(chatId))

/** What an act answered is what is shown; lists that hold it load anew. */
export function keepTicket(changed: Ticket): void {
  queryClient.setQueryData(keyOf(contract.getTicket, { params: { chatId: changed.id } }), changed)
  refreshQueries(contract.listTickets)
  refreshQueries(contract.listStaffTickets)
}

export const closeTicket = (chatId: string) => call(contract.closeTicket, { params: { chatId } })

export const reopenTicket = (chatId: string) => call(contract.reopenTicket, { params: { chatId } })

/** Tells that everything up to a number was read: once for each number, and again when that failed for the time being. */
export function useMarkRead(chatId: string): (seq: number) => void {
  const wanted = useRef(0)
  const told = useRef(0)
  const tell = useCallback(
    (seq: number) => {
      wanted.current = Math.max(wanted.current, seq)
      if (seq <= told.current) return
      told.current = seq
      void call(contract.markRead, { params: { chatId }, body: { seq } }).then(({ status }) => {
        if (status === 204) {
          refreshQueries(contract.listTickets)
          refreshQueries(contract.listStaffTickets)
        } else told.current = 0
      })
    },
    [chatId],
  )
  useEffect(() => onBack(() => tell(wanted.current)), [tell])
  return tell
}

const TYPING_PAUSE_MS = 3000

/** Tells the other side that one writes, at most every three seconds. */
export function useTellTyping(chatId: string): () => void {
  const last = useRef(0)
  return useCallback(() => {
    if (Date.now() - last.current < TYPING_PAUSE_MS) return
    last.current = Date.now()
    void call(tellTyping, { params: { chatId } })
  }, [chatId])
}
