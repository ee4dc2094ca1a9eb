import * as contract from '#features/support/messages/contract.ts'
import { replyWithActs } from '#features/support/messages/reply-contract.ts'
import type { Message } from '#features/support/tickets/contract.ts'
import { isPassing } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { inOneTab } from '#foundation/web/in-one-tab.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { forget, keep, outgoing, type Outgoing } from './outbox.ts'

type Delivered = (entry: Outgoing, message: Message) => void

/** Calls the listener for each message that the server has accepted. */
export function onDelivered(listener: Delivered): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Sends waiting messages one at a time and in order, so that no message arrives before an earlier one. Without a network, or while the
 * server is busy, it tries again after a pause that grows to half a minute, and at once when the network is back. One of several tabs
 * sends; the client_id makes a message sent twice one message.
 */
export function flushOutbox(): void {
  clearTimeout(timer)
  urged = flushing !== undefined
  flushing ??= inOneTab(`outbox:${storedSession.user()?.id ?? ''}`, sendAll).finally(() => {
    flushing = undefined
    // Another call came during the attempt, for instance because the network came back: the outbox is sent again at once.
    if (urged) flushOutbox()
  })
}

async function sendAll(): Promise<void> {
  for (;;) {
    const entry = outgoing().find(({ refused }) => refused === undefined)
    if (!entry || storedSession.accessToken() === null) return
    const outcome = await sendOne(entry)
    if (outcome === 'later') {
      failures += 1
      timer = setTimeout(flushOutbox, Math.min(30_000, 500 * 2 ** failures) * (0.5 + Math.random() / 2))
      return
    }
    failures = 0
  }
}

async function sendOne(entry: Outgoing): Promise<'done' | 'later'> {
  const { chat_id, client_id, kind, text, attachments, acts } = entry
  const input = {
    params: { chatId: chat_id },
    body: { client_id, text, attachment_ids: attachments.map(({ id }) => id) },
  }
  // A network that fails without an error would hold the first message, and all behind it, for minutes.
  const patience = { signal: AbortSignal.timeout(PATIENCE_MS) }
  const route = kind === 'note' ? contract.postNote : contract.postMessage
  const sent = acts
    ? call(replyWithActs, { ...input, body: { ...input.body, acts } }, patience)
    : call(route, input, patience)
  const answer = await sent.catch(() => undefined)
  if (!answer) return 'later'
  if (answer.status === 201 || answer.status === 200) {
    forget(client_id)
    for (const listener of listeners) listener(entry, answer.body)
    return 'done'
  }
  // A message is tried later, too, if the user was signed out meanwhile (401).
  if (answer.status === 401 || isPassing(answer.status)) return 'later'
  // A message that was discarded during the call must not come back.
  const isWaiting = outgoing(chat_id).some((each) => each.client_id === client_id)
  if (isWaiting) keep({ ...entry, refused: answer.errors })
  return 'done'
}

const PATIENCE_MS = 15_000
const listeners = new Set<Delivered>()
let urged = false
let flushing: Promise<void> | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let failures = 0
