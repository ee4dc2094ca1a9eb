import { useEffect } from 'react'
import { whenIdle } from '#foundation/web/when-idle.ts'
import { useSignedIn } from '#foundation/web/api/stored-session.ts'

/** Keeps the pages live while somebody is signed in. Loaded after the page itself, which does not wait for it. */
export function useLivePages(): void {
  const signedIn = useSignedIn()
  useEffect(() => {
    if (!signedIn) return undefined
    let stop: (() => void) | undefined
    let gone = false
    const callOff = whenIdle(() => {
      const begin = async () => {
        const { keepPagesLive, loadReactions } = await import('./live-pages.ts')
        const reactions = await loadReactions()
        if (!gone) stop = keepPagesLive(reactions)
      }
      // If this code fails to load, the page only stays as it was loaded, so no error is shown.
      begin().catch(() => {})
    })
    return () => {
      gone = true
      callOff()
      stop?.()
    }
  }, [signedIn])
}
