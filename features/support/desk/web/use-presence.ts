import { TYPING } from '#features/support/messages/contract.ts'
import { useEffect, useState } from 'react'
import { PRESENCE, tellPresence } from '#features/support/desk/contract.ts'
import { PRESENCE_MS } from '#features/support/desk/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { onResync, subscribe } from '#foundation/web/realtime/subscriptions.ts'

type Present = { id: string; name: string; writing: boolean }

/** Announces the user as a viewer of a ticket while its page is visible, and returns the other viewers. */
export function usePresence(chat_id: string): readonly Present[] {
  const [people, setPeople] = useState<Presence>(NOBODY)
  useEffect(() => {
    const mine = ({ chat_id: of, user_id }: PresenceEvent) =>
      of === chat_id && user_id !== storedSession.user()?.id && typeof user_id === 'string'
    const look = () => {
      void tell(chat_id, 'here').then((answer) => {
        for (const { id, name } of answer.status === 200 ? answer.body.items : [])
          setPeople((known) => withPresence(known, { user_id: id, name, state: 'here' }, Date.now()))
      })
    }
    const stops = [
      subscribe(PRESENCE, (event: PresenceEvent) => {
        if (mine(event)) setPeople((known) => withPresence(known, event, Date.now()))
      }),
      subscribe(TYPING, (event: PresenceEvent) => {
        if (mine(event) && event['is_staff'] === true)
          setPeople((known) => withTyping(known, String(event['user_id']), Date.now()))
      }),
      stayVisible(chat_id, look),
      // Announcements from before the stream was connected were missed.
      onResync(() => !document.hidden && look()),
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

const NOBODY: Presence = new Map()
const FORGET_MS = 2000
const WRITING_MS = 6000

/** Sends `here` when the page becomes visible and at intervals, and `left` when it is hidden. */
function stayVisible(chat_id: string, look: () => void): () => void {
  const follow = () => (document.hidden ? void tell(chat_id, 'left') : look())
  const timer = setInterval(() => {
    if (!document.hidden) look()
  }, PRESENCE_MS)
  if (!document.hidden) look()
  document.addEventListener('visibilitychange', follow)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', follow)
    void tell(chat_id, 'left')
  }
}

// A lost announcement does no harm: the next one comes soon.
const tell = (chatId: string, state: 'here' | 'left') =>
  call(tellPresence, { params: { chatId }, body: { state } })

function withPresence(known: Presence, { user_id, name, state }: PresenceEvent, now: number): Presence {
  const people = new Map(known)
  const id = String(user_id)
  if (state === 'left') people.delete(id)
  else people.set(id, { writes_until: 0, ...known.get(id), name: String(name), heard_at: now })
  return people
}

/**
 * Notes that a colleague is typing. Nothing changes for a colleague who was not announced yet, because the event has no name; their next
 * announcement brings it.
 */
function withTyping(known: Presence, id: string, now: number): Presence {
  const person = known.get(id)
  return person ? new Map(known).set(id, { ...person, heard_at: now, writes_until: now + WRITING_MS }) : known
}

/** Removes viewers who have been silent for more than two intervals, and the mark of those who have stopped typing. */
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
