import { useEffect, useState } from 'react'
import type { Told } from '#foundation/web/i18n/error-text.ts'

/** What is known of the key of a link: not yet anything, whom it is for, or why it does not work. */
export type KeyState = { email?: string; errors?: readonly Told[] }

type Answer = { status: number; email?: string; errors: readonly Told[] }

/** Asks the server about a key, which changes nothing: programs that look through mails open links too. */
export function useKey(key: string, inspect: (key: string) => Promise<Answer>): KeyState {
  const [state, setState] = useState<KeyState & { of?: string }>({})
  useEffect(() => {
    let isCurrent = true
    void inspect(key).then(({ status, email, errors }) => {
      if (!isCurrent) return
      setState(status === 200 ? { of: key, email: email ?? '' } : { of: key, errors })
    })
    return () => {
      isCurrent = false
    }
  }, [key, inspect])
  return state.of === key ? state : {}
}
