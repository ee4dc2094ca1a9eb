import type { Act } from '#texts/acts.js'
import type { App } from '#foundation/server/app.ts'
import { hasSignedInFrom, recordRefusedAction } from '#foundation/server/audit/audit.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { counter } from '#foundation/server/operation/metrics.ts'
import { count, forget, lockNetworkOf, type Attempt } from '#foundation/server/limits/limits.ts'
import { passwordSetAt } from './queries.ts'

const refused = counter(
  'hostdesk_sign_ins_refused_total',
  'Passwords, codes and passkeys that were wrong, or not judged because of a lock-out, by the act of the audit.',
  ['act'],
)

/** A counted attempt at a secret. Callers call one of the methods once the secret was checked. */
type CountedAttempt = {
  right(): Promise<void>
  /** Takes back this attempt alone: the code was right, but belongs to a secret that does not protect the account yet. */
  release(): Promise<void>
  /** Keeps the refusal in the audit (rule 44). */
  wrong(act: Act): Promise<void>
}

type At = {
  email: string
  /** Undefined if no account has this address: work and answer are the same. */
  user_id: string | undefined
  /** The account has not proven the address. A sign-up opens no new windows: it would tell that nobody has proven the address. */
  isUnproven?: boolean
  param?: string
}

/**
 * Counts an attempt at a password before it is checked (D24): 10 a minute for the caller's IP address; 5 in 300 s for the account
 * from the caller's network; 30 in 300 s for the account from all networks together. The attack on the last limit is to lock the
 * owner out from everywhere, so it does not apply to a network from which this account signed in lately. Throws 400
 * `too_many_login_attempts` with the time to wait. A right password refunds its own attempt and never clears a window (D14):
 * otherwise sign-ins to an attacker's own account would buy endless tries at others.
 */
export async function countPasswordAttempt(
  app: App,
  caller: Caller,
  { email, user_id, isUnproven, param }: At,
): Promise<CountedAttempt> {
  const isKnown = await hasSignedInFrom(app, user_id, caller.ip)
  // A new password begins with new windows, so that its owner may sign in at once after a reset, from any network.
  const setAt = user_id && !isUnproven ? await passwordSetAt(app.db, user_id) : undefined
  const secret = `${email} ${setAt ?? ''}`
  const attempts = [
    await count(app, app.db, 'login_failure_ip', caller.ip),
    await count(app, app.db, 'login_failure', `${secret} from ${lockNetworkOf(caller.ip)}`),
    ...(isKnown ? [] : [await count(app, app.db, 'login_failure_anywhere', secret)]),
  ]
  await refuseLocked(app, caller, attempts, { user_id, act: 'password.locked', param })
  const releaseAll = async () => void (await Promise.all(attempts.map((attempt) => attempt.release())))
  return {
    right: releaseAll,
    release: releaseAll,
    wrong: (act) => keepRefused(app, caller, user_id, act),
  }
}

/**
 * Counts an attempt at a one-time code before it is checked: 10 a minute for the caller's IP address, 5 in 300 s for the user from
 * any network, because a code has only a million values. A right code refunds its attempt to the IP address and clears the user's
 * window, but never that of the IP address (D14).
 */
export async function countCodeAttempt(app: App, caller: Caller, user_id: string): Promise<CountedAttempt> {
  const byAddress = await count(app, app.db, 'login_failure_ip', caller.ip)
  const byUser = await count(app, app.db, 'login_failure', `user:${user_id}`)
  await refuseLocked(app, caller, [byAddress, byUser], { user_id, act: 'code.locked', param: 'code' })
  return {
    async right() {
      await byAddress.release()
      await forget(app, 'login_failure', `user:${user_id}`)
    },
    release: async () => void (await Promise.all([byAddress.release(), byUser.release()])),
    wrong: (act) => keepRefused(app, caller, user_id, act),
  }
}

async function keepRefused(app: App, caller: Caller, user_id: string | undefined, act: Act): Promise<void> {
  refused.add({ act })
  await recordRefusedAction(app, caller, { user_id: user_id ?? null, act })
}

/** Counts a refused passkey for the metrics. It is not written to the audit, since nobody can guess a passkey and anybody may try. */
export const countRefusedPasskey = (): void => refused.add({ act: 'passkey.refused' })

type Locked = { user_id: string | undefined; act: Act; param?: string | undefined }

async function refuseLocked(
  app: App,
  caller: Caller,
  attempts: readonly Attempt[],
  { user_id, act, param }: Locked,
): Promise<void> {
  const waits_s = attempts.filter(({ allowed }) => !allowed).map(({ retry_after_s }) => retry_after_s)
  if (waits_s.length === 0) return
  // One row per lock-out: a script that continues must not fill the audit.
  const note = await count(app, app.db, 'lock_note', `${act} ${user_id ?? ''} ${caller.ip}`)
  if (note.allowed) await keepRefused(app, caller, user_id, act)
  else refused.add({ act })
  const code = 'too_many_login_attempts'
  throw new HttpError(400, [param ? { code, param } : { code }], Math.max(...waits_s))
}

/** True for an error that means a wrong password or code, rather than another failure. */
const isWrongSecret = (error: unknown): boolean =>
  error instanceof HttpError &&
  error.errors.some(({ code }) => code === 'incorrect_code' || code === 'email_password_mismatch')

/** Runs `judge`. If the secret was wrong, the refusal is written to the audit after the transaction of `judge` was rolled back. */
export async function judged<Answer>(
  attempt: Pick<CountedAttempt, 'wrong'>,
  act: Act,
  judge: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await judge()
  } catch (error) {
    if (isWrongSecret(error)) await attempt.wrong(act)
    throw error
  }
}
