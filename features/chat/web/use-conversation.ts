import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { getTicket } from '#features/tickets/contract.ts'
import { keyOf, queryClient } from '#foundation/web/api/query.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { onReconnect, onResync, subscribe } from '#foundation/web/realtime/live.ts'
import { Conversation } from './conversation.ts'
import { onOutboxChange, outgoing } from './outbox.ts'
import { flushOutbox, onDelivered } from './sender.ts'

/** A conversation that follows what happens: events of the stream, our own sending, and the way back from offline. */
export function useConversation(chat_id: string) {
  const conversation = useMemo(() => new Conversation(chat_id), [chat_id])
  const shown = useSyncExternalStore(conversation.subscribe, conversation.shown)
  useEffect(() => {
    void conversation.open(storedSession.user()?.id)
    flushOutbox()
    const mine = (event: Record<string, unknown>) => event['chat_id'] === chat_id
    const stops = [
      subscribe('message.created', (event) => mine(event) && void conversation.catchUp()),
      subscribe('message.read', (event) => mine(event) && void conversation.catchUp()),
      subscribe('ticket.changed', (event) => {
        if (mine(event))
          void queryClient.invalidateQueries({ queryKey: keyOf(getTicket, { params: { chatId: chat_id } }) })
      }),
      onResync(() => void conversation.catchUp()),
      onReconnect(() => void conversation.catchUp()),
      onDelivered((entry, message) => entry.chat_id === chat_id && conversation.add(message)),
    ]
    const online = () => {
      flushOutbox()
      void conversation.catchUp()
    }
    window.addEventListener('online', online)
    return () => {
      for (const stop of stops) stop()
      window.removeEventListener('online', online)
      conversation.close()
    }
  }, [conversation, chat_id])
  return { conversation, shown, waiting: useWaiting(chat_id, shown.messages) }
}

/** Our messages that the server has not confirmed; one that came back by the stream before its own answer is no longer waiting. */
function useWaiting(chat_id: string, messages: readonly { client_id: string }[]) {
  const [, setVersion] = useState(0)
  useEffect(() => onOutboxChange(() => setVersion((version) => version + 1)), [])
  const confirmed = new Set(messages.slice(-100).map(({ client_id }) => client_id))
  return outgoing(chat_id).filter(({ client_id }) => !confirmed.has(client_id))
}

const TYPING_MS = 6000

/** True while somebody of the other side is writing; expires some seconds after the last sign of it. */
export function useTyping(chat_id: string, { by_staff }: { by_staff: boolean }): boolean {
  const [until, setUntil] = useState(0)
  const hear = useCallback(
    (event: Record<string, unknown>) => {
      if (event['chat_id'] === chat_id && event['is_staff'] === by_staff) setUntil(Date.now() + TYPING_MS)
    },
    [chat_id, by_staff],
  )
  useEffect(() => subscribe('typing', hear), [hear])
  useEffect(
    () => subscribe('message.created', (event) => event['chat_id'] === chat_id && setUntil(0)),
    [chat_id],
  )
  useEffect(() => {
    if (until === 0) return undefined
    const timer = setTimeout(() => setUntil(0), Math.max(0, until - Date.now()))
    return () => clearTimeout(timer)
  }, [until])
  return until > 0
}
