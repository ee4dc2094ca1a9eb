import { useEffect, useState } from 'react'
import { getConfig } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'

type Offer = { signup: boolean; passkeys: boolean }

// The options of most installations are shown at once, so that nothing moves when the answer comes.
let known: Offer = { signup: true, passkeys: true }

/** Returns whether this installation offers sign-up and passkeys. */
export function useOffer(): Offer {
  const [offer, setOffer] = useState(known)
  useEffect(() => {
    void call(getConfig).then((answer) => {
      if (answer.status !== 200) return
      const { account, mfa } = answer.body.data
      known = { signup: account.is_open_for_signup, passkeys: mfa.passkey_login_enabled }
      setOffer(known)
    })
  }, [])
  return offer
}
