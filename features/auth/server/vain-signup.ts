import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import type { PendingLogin } from '#foundation/server/session/session.ts'
import { mayMail, renewVainSignup } from '#features/profile/server/profile.ts'
import { wait, type Entered } from './enter.ts'
import { sendAccountExists } from './mails.ts'

// A sign-up with an address that an account has proven makes no account, and is answered step by step as one with an unknown address: the
// sign-up itself, signing in with its password, and sending its mail again. The attack is to find out who is a customer.

type Vain = { id: bigint; email: string }

/** Answers as for a sign-up that waits for the proof of its address, and tells the owner of the address by mail. */
export async function pretendToWait(app: App, tx: Tx, caller: Caller, vain: Vain): Promise<Entered> {
  const { id, email } = vain
  await tellOwner(app, tx, caller, vain)
  const scratch = { vain: String(id) }
  return wait(app, tx, caller, {
    user_id: null,
    stage: 'verify_email',
    email,
    methods: [],
    factors: [],
    scratch,
  })
}

/** Mails the owner of the address that a sign-up used it; false where the confirmation of a real sign-up would be one mail too many. */
export async function tellOwner(app: App, tx: Tx, caller: Caller, { id, email }: Vain): Promise<boolean> {
  if (!(await mayMail(app, tx, { cause: `vain ${id}`, email, ip: caller.ip }))) return false
  await renewVainSignup(tx, id)
  await sendAccountExists(app, tx, { email, locale: caller.locale })
  return true
}

/** The vain sign-up that a half-finished login belongs to. */
export const vainOf = ({ scratch }: PendingLogin): bigint =>
  typeof scratch['vain'] === 'string' ? BigInt(scratch['vain']) : 0n
