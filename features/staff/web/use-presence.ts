import { useEffect, useState } from 'react'
import { PRESENCE, tellPresence } from '#features/staff/contract.ts'
import { PRESENCE_MS } from '#features/staff/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { onResync, subscribe } from '#foundation/web/realtime/live.ts'

export type Present = { id: string; name: string; writing: boolean }

/** Tells that one looks at a ticket while its page is in view, and answers who else does. */
export function usePresence(chat_id: string): readonly Present[] {
  const [people, setPeople] = useState<Presence>(NOBODY)
  useEffect(() => {
    const mine = ({ chat_id: of, user_id }: PresenceEvent) =>
      of === chat_id && user_id !== storedSession.user()?.id && typeof user_id === 'string'
    const stops = [
      subscribe(PRESENCE, (event: PresenceEvent) => {
        if (!mine(event)) return
        setPeople((known) => withPresence(known, event, Date.now()))
        // A newcomer does not know yet who is here.
        if (event['state'] === 'arrived' && !document.hidden) publishPresence(chat_id, 'here')
      }),
      subscribe('typing', (event: PresenceEvent) => {
        if (mine(event) && event['is_staff'] === true)
          setPeople((known) => withTyping(known, String(event['user_id']), Date.now()))
      }),
      stayVisible(chat_id),
      // Answers before the newcomer listened were lost.
      onResync(() => !document.hidden && publishPresence(chat_id, 'arrived')),
    ]
    const timer = setInterval(() => setPeople((known) => withoutSilent(known, Date.now())), FORGET_MS)
    return () => {
      for (const stop of stops) stop()
      clearInterval(timer)
    }
  }, [chat_id])
  return [...people].map(([id, { name, writes_until }]) => ({ id, name, writing: writes_until > 0 }))
}

type PresenceEvent = Record<string, unknown>
type Presence = ReadonlyMap<string, { name: string; heard_at: number; writes_until: number }>
type State = 'arrived' | 'here' | 'left'

const NOBODY: Presence = new Map()
const FORGET_MS = 2000
const WRITING_MS = 6000

/** `arrived` when the page comes into view, `here` every while, `left` when it goes out of it. */
function stayVisible(chat_id: string): () => void {
  const follow = () => publishPresence(chat_id, document.hidden ? 'left' : 'arrived')
  const timer = setInterval(() => {
    if (!document.hidden) publishPresence(chat_id, 'here')
  }, PRESENCE_MS)
  if (!document.hidden) publishPresence(chat_id, 'arrived')
  document.addEventListener('visibilitychange', follow)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', follow)
    publishPresence(chat_id, 'left')
  }
}

// Nothing is lost with a word of this that is: the next one comes soon.
const publishPresence = (chatId: string, state: State) =>
  void call(tellPresence, { params: { chatId }, body: { state } })

function withPresence(known: Presence, { user_id, name, state }: PresenceEvent, now: number): Presence {
  const people = new Map(known)
  const id = String(user_id)
  if (state === 'left') people.delete(id)
  else people.set(id, { writes_until: 0, ...known.get(id), name: String(name), heard_at: now })
  return people
}

/** Somebody who writes and was not seen yet has no name here; the next word of presence brings it. */
function withTyping(known: Presence, id: string, now: number): Presence {
  const person = known.get(id)
  return person ? new Map(known).set(id, { ...person, heard_at: now, writes_until: now + WRITING_MS }) : known
}

/** A viewer unseen for longer than two rounds has left without a word. */
function withoutSilent(known: Presence, now: number): Presence {
  const stale = [...known.values()].some(
    ({ heard_at, writes_until }) =>
      now - heard_at > 2 * PRESENCE_MS + FORGET_MS || (writes_until > 0 && writes_until < now),
  )
  if (!stale) return known
  return new Map(
    [...known]
      .filter(([, { heard_at }]) => now - heard_at <= 2 * PRESENCE_MS + FORGET_MS)
      .map(([id, person]) => [
        id,
        { ...person, writes_until: person.writes_until < now ? 0 : person.writes_until },
      ]),
  )
}
