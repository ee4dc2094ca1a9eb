import type { App } from '#foundation/server/app.ts'
import type { AuthenticationMethod, Factor } from '#foundation/session-contract.ts'

/**
 * The table of proofs: what each one that a person can show is worth, and what it obtains. This file is the one place where it is judged.
 * Nothing obtains a proof that is worth more than what was shown: acts that hand out or change proofs, and all others that ask for a recent
 * proof, ask for the strongest kind that the account has (`requiredProof`). The attack is a climb in steps: a session left open and the
 * password read the recovery codes, one of them counts as a code, and a code switches the second factor off.
 */
const NOTHING = 0
const KNOWS = 1
const FACTOR = 2

const proofs = {
  /** A session that is open: reads, and changes that concern no proof. */
  session: { worth: NOTHING, leaves: [] },
  /** The key of a mail that confirms an address: the proof of that address alone. Signs nobody in. */
  verification_link: { worth: NOTHING, leaves: [] },
  /** The key of a mail that sets another password: that password. Ends all sessions, signs nobody in, leaves the factors as they are. */
  reset_link: { worth: NOTHING, leaves: ['password_reset'] },
  /** A code by mail, which allauth knows and this product does not offer. */
  mailed_code: { worth: NOTHING, leaves: ['code'] },
  /** The password: a session where the account has no factor, else the second step; every act of an account without a factor. */
  password: { worth: KNOWS, leaves: ['password'] },
  /** A code of the app, a recovery code, a passkey, and the first answer of one of them as it is set up: every act. */
  factor: { worth: FACTOR, leaves: ['mfa'] },
} as const satisfies Record<string, { worth: number; leaves: readonly AuthenticationMethod['method'][] }>

/** The kind of proof that an account asks for: `factor` where it has a factor, else `any`, or `none` where it has no proof at all. */
type RequiredProof = 'none' | 'any' | 'factor'

type Provable = { has_password: boolean; factors: readonly Factor[] }

/** Recovery codes come with a factor and go with the last one: alone they are none. */
export const hasFactor = (factors: readonly string[]): boolean =>
  factors.some((factor) => factor === 'totp' || factor === 'webauthn')

export function requiredProof({ has_password, factors }: Provable): RequiredProof {
  if (hasFactor(factors)) return 'factor'
  return has_password ? 'any' : 'none'
}

const WORTH = { none: NOTHING, any: KNOWS, factor: FACTOR } as const

/** True where the caller gave the proof that the account asks for within the last 300 s. */
export function isRecent(
  { lifetimes }: Pick<App, 'lifetimes'>,
  actor: Provable & { methods: readonly AuthenticationMethod[] },
): boolean {
  const least = WORTH[requiredProof(actor)]
  const since = Date.now() / 1000 - lifetimes.recent_authentication_s
  return least === NOTHING || actor.methods.some(({ method, at }) => at > since && worthOf(method) >= least)
}

const worthOf = (method: AuthenticationMethod['method']): number =>
  Object.values(proofs).find(({ leaves }) => leaves.some((left) => left === method))?.worth ?? NOTHING
