import type { Attachment } from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { listenersOf } from '#foundation/web/listeners.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { tryToStore } from '#foundation/web/drafts.ts'
import { propertyOf } from '#foundation/web/property.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'

/** A message written here that the server has not confirmed. It survives reloads and hours without a network. */
export type Outgoing = {
  chat_id: string
  client_id: string
  kind: 'comment' | 'note'
  text: string
  attachments: readonly Attachment[]
  /** The acts on the ticket that go with the reply, as a macro says. */
  acts?: Acts
  /** RFC 3339, by this browser's clock. */
  written_at: string
  /** The errors with which the server refused the message. The message stays until it is sent again or discarded. */
  refused?: readonly DisplayedError[]
}

/** Returns the messages that are not confirmed, oldest first: of one chat, or of all. */
export function outgoing(chat_id?: string): readonly Outgoing[] {
  const all = read()
  return chat_id === undefined ? all : all.filter((entry) => entry.chat_id === chat_id)
}

/** Keeps an entry, or replaces the one with its client_id. */
export function keep(entry: Outgoing): void {
  const all = read()
  const index = all.findIndex(({ client_id }) => client_id === entry.client_id)
  write(index < 0 ? [...all, entry] : all.with(index, entry))
}

/** Removes a message that was delivered or discarded. */
export function forget(client_id: string): void {
  write(read().filter((entry) => entry.client_id !== client_id))
}

/** Calls the listener on every change, in this tab and in others. */
export function onOutboxChange(listener: () => void): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === storageKey()) listener()
  }
  const stop = listeners.add(listener)
  window.addEventListener('storage', hear)
  return () => {
    stop()
    window.removeEventListener('storage', hear)
  }
}

/** Waits until no message of a chat is on its way any more, for some seconds at most. */
export async function untilSent(chat_id: string): Promise<void> {
  const isSent = () => outgoing(chat_id).every(({ refused }) => refused !== undefined)
  if (isSent()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onOutboxChange(() => {
    if (isSent()) resolve()
  })
  const timer = setTimeout(resolve, ON_THE_WAY_MS)
  await promise
  clearTimeout(timer)
  stop()
}

const ON_THE_WAY_MS = 5000
const listeners = listenersOf()

// The key names the account: the next person at this screen neither sees nor sends the messages.
const owner = () => storedSession.user()?.id ?? ''
const storageKey = () => `outbox:${owner()}`

function read(): Outgoing[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isOutgoing) : []
  } catch {
    return []
  }
}

const isOutgoing = (entry: unknown): entry is Outgoing => typeof propertyOf(entry, 'client_id') === 'string'

function write(entries: readonly Outgoing[]): void {
  if (entries.length === 0) localStorage.removeItem(storageKey())
  else tryToStore(storageKey(), JSON.stringify(entries))
  listeners.notify()
}
