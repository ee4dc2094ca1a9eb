import type { Access, Route, Who } from '#foundation/contract.ts'

/** The facts about a caller that access is judged by. */
export type Known = {
  actor?: { is_staff: boolean } | undefined
  pending?: { stage: string } | undefined
  agent?: object | undefined
  /** The session token that was sent names nothing (any more). */
  gone: boolean
  /** The actor has proven who they are a short time ago. */
  is_recent: boolean
}

export type Refusal = 'gone' | 'not_authenticated' | 'not_allowed' | 'reauthentication_required'

/**
 * The one answer to "may this caller make this call?": the server asks it for each request, the access matrix of the tests
 * for each route and each kind of caller. Each field of `access` has its own judge; the first refusal counts, and undefined
 * lets the caller in. Whose rows a call reads or changes is not decided here but by the statements, which name the owner.
 */
export function refusalOf(
  { access, style }: Pick<Route, 'access' | 'style'>,
  known: Known,
): Refusal | undefined {
  if (style === 'auth' && known.gone) return 'gone'
  return refusalByWho(access, known) ?? refusalByProof(access, known)
}

const refusalByWho = ({ who }: Access, known: Known): Refusal | undefined => judges[who](known)

const judges: Readonly<Record<Who, (known: Known) => Refusal | undefined>> = {
  anyone: () => undefined,
  pending: ({ pending }) => (pending?.stage === 'mfa_authenticate' ? undefined : 'not_authenticated'),
  agent: ({ agent }) => (agent ? undefined : 'not_authenticated'),
  customer: ({ actor }) => (actor ? undefined : 'not_authenticated'),
  staff: ({ actor }) => (!actor ? 'not_authenticated' : actor.is_staff ? undefined : 'not_allowed'),
}

/** A caller without a session has none to prove anew. */
const refusalByProof = ({ proof }: Access, { actor, is_recent }: Known): Refusal | undefined =>
  proof === 'recent' && actor && !is_recent ? 'reauthentication_required' : undefined
