import type { Locale } from '#foundation/locale.ts'
import type { Route } from '#foundation/contract.ts'
import type { Role } from '#foundation/roles.ts'

/** A program that acts for an account by a token of its owner. `id` is the helper that the token is, as grants know it. */
export type Program = {
  id: string
  account_id: string
  /** The number by which the live stream knows it. */
  number: bigint
  /** Lets what happens from now on be written for it, for a day. */
  listen: () => Promise<void>
}

/** The prefix of each token of an account or of a robot, for this server, for scanners that look for leaked secrets, and for whoever finds one. */
export const TOKEN_PREFIX = 'hdp_'

/** A member of staff that is no person, as the secret of one of its tokens finds it. */
export type Robot = { user_id: string; email: string; locale: Locale; staff_roles: Role[] }

/** A call that a program proposes for an account, and that nobody has done: the owner of the account confirms it, or does not. */
export type Proposal = {
  contract: Route
  program: Program | undefined
  /** Undefined where the caller acts for no account. */
  owner_id: string | undefined
  request: { url: string; body: unknown }
}
