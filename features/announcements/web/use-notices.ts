import { useEffect, useState } from 'react'
import {
  ANNOUNCEMENT_CHANGED,
  listNotices,
  listPublicNotices,
  type Notice,
} from '#features/announcements/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { isForPerson } from '#foundation/web/api/seen.ts'
import { useSignedIn } from '#foundation/web/api/stored-session.ts'
import { onResync, subscribe } from '#foundation/web/realtime/subscriptions.ts'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { forgetNotices, keepNotices, keptNotices } from './kept-notices.ts'

const MINUTE_ms = 60_000

/** Returns the announcements for the reader, kept live while somebody is signed in; without a session, the incidents for all customers. */
export function useNotices(): readonly Notice[] {
  const signedIn = useSignedIn()
  const [notices, setNotices] = useState<readonly Notice[]>(keptNotices)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    let gone = false
    let asked = 0
    if (!signedIn) forgetNotices()
    const load = async () => {
      asked += 1
      const nth = asked
      const answer = await (signedIn ? call(listNotices) : call(listPublicNotices))
      // The shown notices stay if a call fails. An answer is dropped if a later call was sent meanwhile, because the later answer may be
      // newer.
      if (gone || nth !== asked || answer.status !== 200) return
      setNotices(answer.body.items)
      if (signedIn && isForPerson(answer)) keepNotices(answer.body.items)
    }
    // The drawing of the page comes first: a call that is sent meanwhile delays it.
    const callOff = whenIdle(() => void load())
    const stopHearing = subscribe(ANNOUNCEMENT_CHANGED, () => void load())
    const stopAsking = onResync(() => void load())
    const clock = setInterval(() => setNow(Date.now()), MINUTE_ms)
    return () => {
      gone = true
      callOff()
      stopHearing()
      stopAsking()
      clearInterval(clock)
    }
  }, [signedIn])
  return notices.filter(
    ({ kind, ends_at }) => kind === 'incident' || ends_at === null || Date.parse(ends_at) > now,
  )
}
