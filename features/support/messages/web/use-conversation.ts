import { TYPING } from '#features/support/messages/contract.ts'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import {
  MESSAGE_CHANGED,
  MESSAGE_CREATED,
  MESSAGE_READ,
  TICKET_CHANGED,
  type LiveBody,
} from '#features/support/tickets/contract.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { onReconnect, onResync, subscribe } from '#foundation/web/realtime/subscriptions.ts'
import { patchTicket, reloadTicket } from './hooks.ts'
import { Conversation } from './conversation.ts'
import { onOutboxChange, outgoing } from './outbox.ts'
import { flushOutbox, onDelivered } from './sender.ts'

/** Returns a conversation that follows live events and the messages sent in this tab, and catches up when the network is back. */
export function useConversation(chat_id: string) {
  const conversation = useMemo(() => new Conversation(chat_id), [chat_id])
  const shown = useSyncExternalStore(conversation.subscribe, conversation.shown)
  useEffect(() => {
    void conversation.open(storedSession.user()?.id)
    flushOutbox()
    const stops = [
      ...[MESSAGE_CREATED, MESSAGE_CHANGED, MESSAGE_READ, TICKET_CHANGED].map((type) =>
        subscribe(type, (event) => event['chat_id'] === chat_id && follow(conversation, type, event)),
      ),
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

/** Shows the ticket, message or read mark in the body of an event, or fetches them if the event has no body. */
function follow(conversation: Conversation, type: string, event: Record<string, unknown>): void {
  const { message, read, ticket } = (event['body'] ?? {}) as LiveBody
  const { seq } = event
  const { chat_id } = conversation
  if (ticket) patchTicket(chat_id, ticket)
  else if (type === TICKET_CHANGED || event['moved'] === true) reloadTicket(chat_id)
  if (type === TICKET_CHANGED) return
  if (type === MESSAGE_CHANGED) {
    if (message) conversation.replace(message)
    else if (typeof seq === 'number') void conversation.replaceBy(seq)
    return
  }
  if (message?.event?.code.startsWith('merge')) reloadTicket(chat_id)
  if (message) conversation.hear(message, { read, staff: event['staff'] === true })
  else if (read) conversation.hearRead(read)
  else if (type === MESSAGE_CREATED && typeof seq === 'number') conversation.hearOf(seq)
  else void conversation.catchUp()
}

/**
 * Returns the reader's messages that the server has not confirmed. A message that the stream brought before the answer to its call counts
 * as confirmed.
 */
function useWaiting(chat_id: string, messages: readonly { client_id: string }[]) {
  const [, setVersion] = useState(0)
  useEffect(() => onOutboxChange(() => setVersion((version) => version + 1)), [])
  const confirmed = new Set(messages.slice(-100).map(({ client_id }) => client_id))
  return outgoing(chat_id).filter(({ client_id }) => !confirmed.has(client_id))
}

const TYPING_MS = 6000

/** True while the other side is typing; expires some seconds after the last typing event. */
export function useTyping(chat_id: string, { by_staff }: { by_staff: boolean }): boolean {
  const [until, setUntil] = useState(0)
  const hear = useCallback(
    (event: Record<string, unknown>) => {
      if (event['chat_id'] === chat_id && event['is_staff'] === by_staff) setUntil(Date.now() + TYPING_MS)
    },
    [chat_id, by_staff],
  )
  useEffect(() => subscribe(TYPING, hear), [hear])
  useEffect(
    () => subscribe(MESSAGE_CREATED, (event) => event['chat_id'] === chat_id && setUntil(0)),
    [chat_id],
  )
  useEffect(() => {
    if (until === 0) return undefined
    const timer = setTimeout(() => setUntil(0), Math.max(0, until - Date.now()))
    return () => clearTimeout(timer)
  }, [until])
  return until > 0
}
