import type { ReactNode } from 'react'

/**
 * Asks for a proof of identity in a dialog, for acts that want a recent one (rule 20). `reauthenticate` answers
 * whether it was given; the page renders `dialog` and repeats its call after a yes.
 */
export function useReauthentication(): { reauthenticate: () => Promise<boolean>; dialog: ReactNode } {
  return { reauthenticate: () => Promise.resolve(false), dialog: null }
}
