import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { newEmail, translated, uuid } from '#foundation/fields.ts'
import { optionalIdempotencyKey } from '#foundation/idempotency.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { money } from '#foundation/money.ts'
import { count, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { hostId } from '#features/hosts/contract.ts'
import { MOST_HOSTS, sides } from './rules.ts'

/** Agreements by which one account, the payer, pays for servers of another, the owner. */

const pays = z.enum(['renewals', 'all'], { error: 'invalid' })
const limit = moneyGiven(12)
const hostIds = z.array(hostId).check(z.maxLength(MOST_HOSTS, 'invalid'))

const agreement = z.strictObject({
  id: uuidText(),
  /** Your side of the agreement. */
  side: z.enum(sides),
  /** The account on the other side; null until the person whom you asked has accepted. */
  account: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  /** The address that the offer was sent to; null if the account with this address was deleted. */
  email: z.nullable(emailText()),
  asked_by: z.enum(sides),
  all_hosts: z.boolean(),
  /** `renewals`: the payer pays for automatic renewals only; `all`: for each order for the servers, too. */
  pays,
  /** The most that the payer pays in a calendar month (UTC); null without a limit. */
  month_limit: z.nullable(money),
  spent_this_month: money,
  /** The number of servers that the agreement pays for. */
  hosts: count(),
  /** The number of servers that wait for the payer's consent. */
  requested_hosts: count(),
  /**
   * The state of the server in the query (`host_id`): paid for, or waiting for consent. Null without `host_id`, or if the agreement is not
   * about that server.
   */
  host_state: z.nullable(z.enum(['paid', 'requested'])),
  state: z.enum(['offered', 'active']),
  created_at: time(),
  /** The time at which an offer expires; null once it is accepted. */
  expires_at: z.nullable(time()),
  version,
})
named('PaymentAgreement', agreement)
export type Agreement = z.infer<typeof agreement>

const paidHost = z.strictObject({
  id: hostId,
  name: z.string(),
  /** The name of the plan; null while the licence is free. */
  plan: z.nullable(translated()),
  paid_until: z.nullable(time()),
  /** True while the server waits for the payer's consent. */
  requested: z.boolean(),
  /** The automatic renewals of the next 12 months, at today's prices. */
  charges: z.array(z.strictObject({ due_at: time(), total: money })),
})
named('PaidHost', paidHost)
export type PaidHost = z.infer<typeof paidHost>

const params = z.strictObject({ agreementId: uuid })
const own = { who: 'customer', acts: 'own' } as const

export const listAgreements = route({
  id: 'listAgreements',
  tag: 'Payment agreements',
  method: 'GET',
  path: '/api/payment-agreements/',
  access: own,
  summary: 'Who pays for your servers, or whose servers you pay for',
  description:
    'Open offers and active agreements, the newest first: those in which you are the owner, or the payer. Offers are found by an address that you have confirmed',
  query: z.strictObject({
    side: z._default(z.enum(sides), 'owner'),
    /** Limits the list to the agreements about this server of yours. */
    host_id: z.optional(hostId),
  }),
  replies: { 200: z.strictObject({ items: z.array(agreement) }) },
})

export const getAgreement = route({
  id: 'getAgreement',
  tag: 'Payment agreements',
  method: 'GET',
  path: '/api/payment-agreements/{agreementId}/',
  access: own,
  summary: 'An agreement with its servers and next charges',
  description:
    'The agreement, its first 500 servers and their automatic renewals of the next 12 months: what a payer sees before accepting',
  params,
  replies: { 200: z.strictObject({ agreement, hosts: z.array(paidHost), total: money }) },
})

export const createAgreement = route({
  id: 'createAgreement',
  tag: 'Payment agreements',
  method: 'POST',
  path: '/api/payment-agreements/',
  access: { ...own, whileBlocked: 'refused' },
  summary: 'Ask somebody to pay for your servers, or offer to pay',
  description:
    'Ask (`side` owner) or offer (`side` payer) by mail; open for 14 days. The answer does not tell whether the address has an account. The servers of an offer are chosen by their owner on acceptance. Wants a recent proof',
  limits: ['payment_agreement'],
  headers: optionalIdempotencyKey,
  body: z.strictObject({
    email: newEmail(),
    side: z.enum(sides, { error: 'invalid' }),
    all_hosts: z.boolean(),
    host_ids: z.optional(hostIds),
    pays,
    month_limit: z.optional(z.nullable(limit)),
  }),
  replies: { 201: agreement },
  errors: {
    400: ['own_address', 'host_required', 'unknown_host'],
    403: ['reauthentication_required'],
    409: ['host_has_payer', 'agreement_open', 'too_many_agreements'],
  },
})

export const updateAgreement = route({
  id: 'updateAgreement',
  tag: 'Payment agreements',
  method: 'PATCH',
  path: '/api/payment-agreements/{agreementId}/',
  access: { ...own, whileBlocked: 'allowed' },
  summary: 'Change the limit as payer, or the servers as owner',
  description:
    'The payer changes `month_limit`, also below what is spent; a higher one wants a recent proof. The owner adds servers, which the payer has to accept unless the agreement is for all, and removes servers, whose automatic renewal is switched off',
  params,
  body: z.strictObject({
    month_limit: z.optional(z.nullable(limit)),
    add_host_ids: z.optional(hostIds),
    remove_host_ids: z.optional(hostIds),
    version,
  }),
  replies: { 200: agreement, 409: changedReply(agreement) },
  errors: {
    400: ['host_required', 'unknown_host'],
    403: ['not_your_side', 'reauthentication_required'],
    409: ['changed', 'host_has_payer'],
  },
})

export const deleteAgreement = route({
  id: 'deleteAgreement',
  tag: 'Payment agreements',
  method: 'DELETE',
  path: '/api/payment-agreements/{agreementId}/',
  access: { ...own, whileBlocked: 'allowed' },
  summary: 'End an agreement, or withdraw an offer',
  description:
    'Either side ends it at once; nothing is charged back. The automatic renewal of its servers is switched off, unless the owner says `renewals=own_balance`',
  params,
  query: z.strictObject({ renewals: z.optional(z.literal('own_balance')) }),
  replies: { 204: null },
})

export const acceptAgreement = route({
  id: 'acceptAgreement',
  tag: 'Payment agreements',
  method: 'POST',
  path: '/api/payment-agreements/{agreementId}/acceptance/',
  access: { ...own, whileBlocked: 'refused' },
  summary: 'Accept an agreement, or servers that were added',
  description:
    'Accept what was shown as `version`, with an address that you have confirmed and a recent proof. A payer may set the limit, an owner chooses the servers of an offer',
  params,
  body: z.strictObject({
    version,
    month_limit: z.optional(z.nullable(limit)),
    host_ids: z.optional(hostIds),
  }),
  replies: { 200: agreement, 409: changedReply(agreement) },
  errors: {
    400: ['host_required', 'unknown_host'],
    403: ['reauthentication_required'],
    409: ['changed', 'invitation_over', 'host_has_payer', 'agreement_open', 'too_many_agreements'],
  },
})

export const declineAgreement = route({
  id: 'declineAgreement',
  tag: 'Payment agreements',
  method: 'POST',
  path: '/api/payment-agreements/{agreementId}/refusal/',
  access: { ...own, whileBlocked: 'allowed' },
  summary: 'Decline an agreement, or servers that were added',
  params,
  replies: { 204: null },
  errors: { 409: ['invitation_over'] },
})

/** An agreement has changed in which the person is, or may become, the owner or the payer. */
export const AGREEMENT_CHANGED = liveEvent('agreement.changed')
