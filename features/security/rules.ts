import type { Act } from '#texts/acts.js'

/** Failed attempts by somebody who had not proven their identity. The attempts of one hour are one line of the activity. */
export const summedActs: readonly Act[] = [
  'login.refused',
  'password.locked',
  'code.refused',
  'code.locked',
  'passkey.refused',
]

/** The acts in the audit of an account that its customer may see: sign-ins, security, and what staff did to it. */
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
  'customer.storage_changed',
  'customer.unblocked',
  'customer.viewed',
  'factor_reset.cancelled',
  'factor_reset.done',
  'factor_reset.requested',
  'factor_reset.vetoed',
  'finance.charged_back',
  'finance.confirmed',
  'finance.corrected',
  'finance.credit_given',
  'finance.paid_out',
  'finance.refunded',
  'finance.rejected',
  'finance.written_off',
  'host.agent_token_made',
  'host.address_changed',
  'host.alerts_changed',
  'host.address_limit_reset',
  'host.deleted',
  'host.key_renewed',
  'host.machine_released',
  'host.releases_reset',
  'host.resumed',
  'host.suspended',
  'invoice.reissued',
  'licence.renewal_plan_chosen',
  'licence.extras_chosen',
  'licence.tried',
  'licence.upgraded',
  'login.refused',
  'mail.dead',
  'mail.sent_again',
  'news.asked_for',
  'news.stopped',
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
  'webhook.changed',
  'webhook.deleted',
  'webhook.made',
  'webhook.replayed',
  'webhook.secret_replaced',
  'withdrawal.declared',
]

/**
 * Returns the words of staff that are for the customer, or null: the message of a block, and the reason why money moved or an
 * invoice was issued anew. Other reasons are for staff.
 */
export function messageIn(act: string, detail: Readonly<Record<string, unknown>>): string | null {
  const said = act.startsWith('finance.') || act === 'invoice.reissued' ? detail['reason'] : detail['message']
  return typeof said === 'string' && said !== '' ? said : null
}
