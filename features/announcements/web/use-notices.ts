import { useEffect, useState } from 'react'
import {
  ANNOUNCEMENT_CHANGED,
  listNotices,
  listPublicNotices,
  type Notice,
} from '#features/announcements/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useSignedIn } from '#foundation/web/api/stored-session.ts'
import { onResync, subscribe } from '#foundation/web/realtime/live.ts'
import { forgetNotices, keepNotices, keptNotices } from './kept-notices.ts'

/** A page that begins to listen is told to ask anew; it has only just asked. */
const JUST_NOW_ms = 10_000
const MINUTE_ms = 60_000

/** The announcements for the reader, kept live while somebody is signed in; for others, the incidents for all customers. */
export function useNotices(): readonly Notice[] {
  const signedIn = useSignedIn()
  const [notices, setNotices] = useState<readonly Notice[]>(keptNotices)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    let gone = false
    let asked_at = 0
    if (!signedIn) forgetNotices()
    const load = async () => {
      asked_at = Date.now()
      const answer = await (signedIn ? call(listNotices) : call(listPublicNotices))
      // The shown notices stay where there is no answer.
      if (gone || answer.status !== 200) return
      setNotices(answer.body.items)
      if (signedIn) keepNotices(answer.body.items)
    }
    void load()
    const stopHearing = subscribe(ANNOUNCEMENT_CHANGED, () => void load())
    const stopAsking = onResync(() => {
      if (Date.now() - asked_at > JUST_NOW_ms) void load()
    })
    const clock = setInterval(() => setNow(Date.now()), MINUTE_ms)
    return () => {
      gone = true
      stopHearing()
      stopAsking()
      clearInterval(clock)
    }
  }, [signedIn])
  return notices.filter(
    ({ kind, ends_at }) => kind === 'incident' || ends_at === null || Date.parse(ends_at) > now,
  )
}
