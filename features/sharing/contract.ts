import * as z from 'zod/mini'
import { event, liveEvent, route } from '#foundation/contract.ts'
import { capability, helperRoles } from '#foundation/capability.ts'
import { moneyGiven } from '#foundation/money-given.ts'
import { money } from '#foundation/money.ts'
import { newEmail, text, uuid } from '#foundation/fields.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { emailText, named, time, uuidText } from '#foundation/printed.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { hostId } from '#features/hosts/contract.ts'
import { ofEachLimit } from './limits.ts'
import { MOST_HOSTS } from './rules.ts'

/** Helpers of an account: people whom its owner lets act for it. */

export const role = z.enum(helperRoles, { error: 'invalid' })

/** The limits of what a helper may spend of the owner's balance, each null without one, and how much of each has been used. */
export const used = {
  ...ofEachLimit('name', () => z.nullable(money)),
  ...ofEachLimit('used', () => money),
}

const grant = z.strictObject({
  id: uuidText(),
  /** The other side: the helper of a grant that you gave (null until they accept), or the owner of a grant that you received. */
  account: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  /** The address that was invited. */
  email: emailText(),
  role,
  all_hosts: z.boolean(),
  /** The servers of a grant that is not for all servers; empty on a grant that you were given. */
  host_ids: z.array(z.string()),
  needs_second_factor: z.boolean(),
  /** True if helpers of the helper may act by this grant too, as far as both roles allow; their helpers in turn may not. */
  may_pass_on: z.boolean(),
  ...used,
  state: z.enum(['invited', 'active']),
  created_at: time(),
  /** The time at which an invitation expires; null once it is accepted. */
  expires_at: z.nullable(time()),
  version,
})
named('Grant', grant)
export type Grant = z.infer<typeof grant>

/** A limit that is wished, for roles that pay. */
const mostMoney = z.optional(z.nullable(moneyGiven(12)))

/** The scope of a program: all servers, or at least one; roles that pay always have all servers. */
export const programScope = {
  all_hosts: z.boolean(),
  host_ids: z.optional(z.array(hostId).check(z.maxLength(MOST_HOSTS, 'invalid'))),
  ...ofEachLimit('name', () => mostMoney),
}

/** The scope of a person, who may be asked for a second factor and allowed to pass it on. */
const scope = {
  ...programScope,
  needs_second_factor: z.optional(z.boolean()),
  may_pass_on: z.optional(z.boolean()),
}

const params = z.strictObject({ grantId: uuid })

export const listGrants = route({
  id: 'listGrants',
  tag: 'Sharing',
  method: 'GET',
  path: '/api/sharing/grants/',
  access: { who: 'customer', acts: 'own' },
  summary: 'The helpers of your account, or the accounts you help',
  description:
    'Open invitations and active grants, the newest first: those that you gave, or those that you received at an address that you have confirmed',
  query: z.strictObject({ side: z._default(z.enum(['given', 'received']), 'given') }),
  replies: { 200: z.strictObject({ items: z.array(grant) }) },
})

export const createGrant = route({
  id: 'createGrant',
  tag: 'Sharing',
  method: 'POST',
  path: '/api/sharing/grants/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Invite somebody to help with your servers',
  description:
    'Invite an address by mail; the invitation is open for 14 days. The answer does not tell whether the address has an account. A role that pays, or one that is passed on, wants a recent proof',
  limits: ['helper_invitation'],
  body: z.strictObject({ email: newEmail(), role, ...scope }),
  replies: { 201: grant },
  errors: {
    400: ['own_address', 'host_required', 'unknown_host', 'all_hosts_required'],
    403: ['reauthentication_required'],
    409: ['already_shared', 'too_many_grants'],
  },
})

export const updateGrant = route({
  id: 'updateGrant',
  tag: 'Sharing',
  method: 'PATCH',
  path: '/api/sharing/grants/{grantId}/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Change the role, servers and limit of a grant',
  description:
    'Change the named fields of a grant that you gave; it counts from the next call of the helper on. A role that pays, or one that is passed on, wants a recent proof',
  params,
  body: z.strictObject({ role: z.optional(role), ...scope, all_hosts: z.optional(z.boolean()), version }),
  replies: { 200: grant, 409: changedReply(grant) },
  errors: {
    400: ['host_required', 'unknown_host', 'all_hosts_required'],
    403: ['reauthentication_required'],
    409: ['changed'],
  },
})

export const deleteGrant = route({
  id: 'deleteGrant',
  tag: 'Sharing',
  method: 'DELETE',
  path: '/api/sharing/grants/{grantId}/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Revoke a grant that you gave, or leave one you received',
  description:
    'Revoke a grant, or withdraw an invitation, that you gave; leave an account that you help. It counts from the next call on',
  params,
  replies: { 204: null },
})

export const acceptGrant = route({
  id: 'acceptGrant',
  tag: 'Sharing',
  method: 'POST',
  path: '/api/sharing/grants/{grantId}/acceptance/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Accept an invitation to help',
  description: 'Accept an invitation to an address that you have confirmed',
  params,
  replies: { 200: grant },
  errors: { 409: ['invitation_over', 'already_shared', 'too_many_grants'] },
})

export const declineGrant = route({
  id: 'declineGrant',
  tag: 'Sharing',
  method: 'POST',
  path: '/api/sharing/grants/{grantId}/refusal/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Decline an invitation to help',
  params,
  replies: { 204: null },
  errors: { 409: ['invitation_over'] },
})

const helped = z.strictObject({
  id: uuidText(),
  name: z.string(),
  email: z.string(),
  role,
  /** The account that passes its grant on to you; null where the owner has invited you. */
  through: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
})
named('HelpedAccount', helped)
export type HelpedAccount = z.infer<typeof helped>

export const listAccounts = route({
  id: 'listAccounts',
  tag: 'Sharing',
  method: 'GET',
  path: '/api/sharing/accounts/',
  access: { who: 'customer', acts: 'own' },
  summary: 'The accounts you may act for, by name',
  description:
    'The accounts whose owners let you act for them, by name; `q` searches names and addresses, `id` asks for one',
  query: z.strictObject({ ...pageQuery, q: z.optional(text(100)), id: z.optional(uuid) }),
  replies: { 200: pageOf(helped) },
})

const actingPerson = z.strictObject({
  account: z.strictObject({ id: uuidText(), name: z.string() }),
  /** The grant that you gave: to this person, or to the account in `through`. */
  grant_id: uuidText(),
  /** The role of the person: where the grant is passed on, no more than both roles allow. */
  role,
  all_hosts: z.boolean(),
  /** The helper who passes the grant on to this person; null where you invited the person. */
  through: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
})
named('ActingPerson', actingPerson)
export type ActingPerson = z.infer<typeof actingPerson>

export const listPeople = route({
  id: 'listPeople',
  tag: 'Sharing',
  method: 'GET',
  path: '/api/sharing/people/',
  access: { who: 'customer', acts: 'own' },
  summary: 'Everyone who can act for your account, and through whom',
  description:
    'Everybody who may act for your account now, by name: those whom you invited, and those to whom a helper passes a grant on. People who could not act now, as without a second factor that you ask for, are left out',
  query: z.strictObject(pageQuery),
  replies: { 200: pageOf(actingPerson) },
})

const activity = z.strictObject({
  id: z.string(),
  at: time(),
  /** The action, such as `host.changed_by_helper`. */
  act: z.string(),
  /** The owner or a helper; null where the account is gone. */
  by: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  /** The server that the action was about; its name is empty if the server is gone. */
  host: z.nullable(z.strictObject({ id: z.string(), name: z.string() })),
  amount: z.nullable(money),
})
named('AccountActivity', activity)
export type AccountActivity = z.infer<typeof activity>

const seeActivity = capability('activity.see', ['technical', 'billing', 'full', 'read'])

export const listAccountActivity = route({
  id: 'listAccountActivity',
  tag: 'Sharing',
  method: 'GET',
  path: '/api/sharing/activity/',
  access: { who: 'customer', acts: seeActivity },
  summary: 'What the owner and helpers did for an account',
  description:
    'What the owner and helpers did in the last 180 days, the newest first: with servers and money, and to the owner also with grants. Helpers read what their role and servers let them know',
  query: z.strictObject({ ...pageQuery, for: z.optional(uuid) }),
  replies: { 200: pageOf(activity) },
})

const hostParams = z.strictObject({ hostId })

export const listFormerHelpers = route({
  id: 'listFormerHelpers',
  tag: 'Sharing',
  method: 'GET',
  path: '/api/sharing/hosts/{hostId}/former/',
  access: { who: 'customer', acts: 'own' },
  summary: 'Who has seen the keys of a host and has no access now',
  description:
    'The helpers and tokens whose access to the host has ended in the last 180 days, after its licence key was renewed or kept for the last time; the last one first',
  params: hostParams,
  replies: {
    200: z.strictObject({
      items: z.array(
        z.strictObject({ account: z.strictObject({ id: uuidText(), name: z.string() }), ended_at: time() }),
      ),
    }),
  },
})

export const keepLicenceKey = route({
  id: 'keepLicenceKey',
  tag: 'Sharing',
  method: 'DELETE',
  path: '/api/sharing/hosts/{hostId}/former/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Keep the licence key although former helpers have seen it',
  params: hostParams,
  replies: { 204: null },
})

/** A grant that the account gave or received, or a way that leads through one, was made, changed or ended. */
export const SHARING_CHANGED = liveEvent('sharing.changed')

/** Somebody found a secret that is no token of an account. `token_hash` is its hash, in hex. */
export const secretFound = event<{ token_hash: string; ip: string; user_agent: string; request_id: string }>(
  'sharing.secret_found',
)
