import type { Act } from '#texts/acts.js'

/** The days for which the activity of an account is shown. */
export const ACTIVITY_DAYS = 180

/** The acts that helpers of every role read. */
export const actsOfServers: readonly Act[] = [
  'grant.host_added',
  'grant.ticket_opened',
  'host.agent_token_made',
  'host.changed_by_helper',
  'host.address_changed',
  'host.alerts_changed',
  'host.deleted',
  'host.key_renewed',
  'host.machine_released',
]
/** The acts that helpers who see prices read, too. */
export const actsOfMoney: readonly Act[] = [
  'grant.spent',
  'grant.topped_up',
  'grant.voucher_redeemed',
  'licence.renewal_plan_chosen',
  'licence.extras_chosen',
  'licence.upgraded',
]
/** The days after which a token may end; one that does not pay may live as long as it is used. */
export const TOKEN_DAYS = ['30', '90', '365'] as const

/** The days before the end of a token at which its owner is mailed, the last first: a token that ends sooner is mailed of once. */
export const TOKEN_WARNINGS_DAYS = [3, 14] as const

/** The maximum number of tokens of one account. */
export const MOST_TOKENS = 50

/** The acts that the owner alone reads. */
export const actsOfGrants: readonly Act[] = [
  'grant.accepted',
  'grant.changed',
  'grant.declined',
  'grant.invited',
  'grant.left',
  'grant.revoked',
  'token.ended',
  'token.made',
  'webhook.changed',
  'webhook.deleted',
  'webhook.made',
  'webhook.replayed',
  'webhook.secret_replaced',
]

/** The maximum number of servers that one grant names; an owner who shares more servers shares all of them. */
export const MOST_HOSTS = 500

/** The maximum number of open invitations and active grants of one owner. */
export const MOST_GIVEN = 50

/** The maximum number of accounts that one person helps. */
export const MOST_RECEIVED = 500
