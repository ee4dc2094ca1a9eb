import { useEffect, useState } from 'react'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'

/**
 * The state of the key in a link: empty until the server has answered, then the address of its account, or the errors of a key that
 * does not work.
 */
type KeyState = { email?: string; errors?: readonly DisplayedError[] }

type Answer = { status: number; email?: string; errors: readonly DisplayedError[] }

/**
 * Asks the server about a key, which changes nothing: programs that scan mails open links too. `onEmail` is
 * called with the address of its account, so that it need not be typed at the next sign-in.
 */
export function useKey(
  key: string,
  inspect: (key: string) => Promise<Answer>,
  onEmail: (email: string) => void,
): KeyState {
  const [state, setState] = useState<KeyState & { of?: string }>({})
  useEffect(() => {
    let isCurrent = true
    void inspect(key).then(({ status, email, errors }) => {
      if (!isCurrent) return
      setState(status === 200 ? { of: key, email: email ?? '' } : { of: key, errors })
      if (email) onEmail(email)
    })
    return () => {
      isCurrent = false
    }
  }, [key, inspect, onEmail])
  return state.of === key ? state : {}
}
