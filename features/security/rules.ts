import type { Act } from '#texts/acts.js'

/** Who acts: the person themselves, a member of staff for them, the command line, the product by itself, or nobody knows who. */
export const actorKinds = ['self', 'staff', 'cli', 'system', 'stranger'] as const
export type ActorKind = (typeof actorKinds)[number]

type Recorded = {
  user_id: string | null
  act: string
  ip: string | null
  detail: Readonly<Record<string, unknown>>
}

/** Tried before anybody had proven who they are. */
const UNPROVEN = new Set([
  'login.refused',
  'password.locked',
  'code.refused',
  'code.locked',
  'passkey.refused',
])

/** The actor of a row of the audit, with the account where it is one. */
export function actorOf({ user_id, act, ip, detail }: Recorded): { kind: ActorKind; id: string | null } {
  const { by } = detail
  if (by === 'command line') return { kind: 'cli', id: null }
  if (typeof by === 'string') return { kind: by === user_id ? 'self' : 'staff', id: by }
  if (UNPROVEN.has(act)) return { kind: 'stranger', id: null }
  return user_id !== null && ip !== null ? { kind: 'self', id: user_id } : { kind: 'system', id: null }
}

/** Of all that the audit holds about an account, what its customer sees: sign-ins, security, and what staff did to the account. */
export const shownActs: readonly Act[] = [
  'account.created',
  'account.access_reviewed',
  'account.data_downloaded',
  'address.added',
  'address.primary',
  'address.removed',
  'address.verified',
  'code.locked',
  'code.refused',
  'customer.address_confirmed',
  'customer.blocked',
  'customer.exported',
  'customer.locked',
  'customer.signed_out',
  'customer.unblocked',
  'customer.viewed',
  'factor_reset.cancelled',
  'factor_reset.done',
  'factor_reset.requested',
  'factor_reset.vetoed',
  'finance.charged_back',
  'finance.confirmed',
  'finance.credit_given',
  'finance.refunded',
  'finance.rejected',
  'host.agent_token_made',
  'host.deleted',
  'host.resumed',
  'host.suspended',
  'invoice.reissued',
  'licence.renewal_plan_chosen',
  'licence.upgraded',
  'login.refused',
  'passkey.added',
  'passkey.refused',
  'passkey.removed',
  'password.changed',
  'password.locked',
  'password.reset',
  'recovery_codes.renewed',
  'session.ended',
  'session.started',
  'staff.accepted',
  'staff.revoked',
  'staff.roles_changed',
  'terms.accepted',
  'ticket.opened',
  'totp.activated',
  'totp.deactivated',
  'withdrawal.declared',
]

/** The words of staff that are for the customer: the message of a block, and the reason why money moved or an invoice was issued anew. Other reasons are for staff. */
export function messageIn(act: string, detail: Readonly<Record<string, unknown>>): string | null {
  const said = act.startsWith('finance.') || act === 'invoice.reissued' ? detail['reason'] : detail['message']
  return typeof said === 'string' && said !== '' ? said : null
}

/** One after the other of these are one line, an hour at most. */
export const isSummed = (act: string): boolean => UNPROVEN.has(act)
