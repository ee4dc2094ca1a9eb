import * as z from 'zod/mini'
import { firstPage } from '#features/profile/contract.ts'
import { liveEvent, route } from '#foundation/contract.ts'
import { newEmail, pastedKey, requiredText } from '#foundation/fields.ts'
import { count, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { money } from '#foundation/money.ts'
import { permission, roles, staff } from '#foundation/roles.ts'
import { waitingReply } from '#foundation/approvals.ts'

/** The members of staff, their roles, and what each may do. */

const role = z.enum(roles, { error: 'invalid' })

export const getStaffMe = route({
  id: 'getStaffMe',
  tag: 'Staff members',
  method: 'GET',
  path: '/api/staff/me/',
  access: { who: 'member' },
  summary: 'What you may do as staff',
  description:
    'What you may do as staff. `two_factor` is `missing` while you must set one up, and `stale` while you must prove it again: until then all other calls of staff refuse',
  replies: {
    200: z.strictObject({
      roles: z.array(role),
      permissions: z.array(z.string()),
      two_factor: z.enum(['ok', 'missing', 'stale']),
      /** The amounts that you may move without a second person, by the action's permission; empty where nobody is asked. */
      allowances: z.array(
        z.strictObject({
          act: z.string(),
          /** The most that you may move at once. */
          single: money,
          /** The rest of the amount that you may move in 24 hours, which is three times `single`. */
          left_today: money,
          /** Above these amounts a second person confirms (`waits`); without such a person the action is done and all owners get a mail (`alone`). */
          above: z.enum(['waits', 'alone']),
        }),
      ),
      /** How many actions wait for your approval, and refunds after withdrawals for you to book. */
      waiting: count(),
    }),
  },
})
named('StaffMe', getStaffMe.replies[200])

export const readPermission = permission('team.read', ['admin'])
/** The permission to change the staff. Its action waits for a second owner where the role of an owner is concerned. */
export const managePermission = permission('team.manage', [], { proof: 'recent', ownerOnly: true })

const member = z.strictObject({
  id: uuidText(),
  name: z.string(),
  email: emailText(),
  roles: z.array(role),
  two_factor: z.boolean(),
  /** The time of the latest sign-in or renewal of a session. */
  last_seen_at: z.nullable(time()),
  open_tickets: count(),
  /** The member who gave the last role within 14 days without a second owner: until then neither decides on what the other asks for. */
  introduced: z.nullable(
    z.strictObject({ by: z.strictObject({ id: uuidText(), name: z.string() }), until: time() }),
  ),
  /** The roles that a second owner has yet to confirm. */
  waiting_roles: z.nullable(z.array(role)),
})
named('StaffMember', member)
export type StaffMember = z.infer<typeof member>

const invitation = z.strictObject({
  id: uuidText(),
  email: emailText(),
  roles: z.array(role),
  /** Null if the invitation was made on the command line. */
  invited_by: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  created_at: time(),
  /** The time at which the invitation expires, which may be in the past: then the invitation can be sent again. */
  expires_at: time(),
  /** True until a second owner confirms it; then it is mailed. */
  waits: z.boolean(),
})
named('StaffInvitation', invitation)
export type StaffInvitation = z.infer<typeof invitation>

export const listMembers = route({
  id: 'listMembers',
  tag: 'Staff members',
  method: 'GET',
  path: '/api/staff/members/',
  access: staff(readPermission),
  summary: 'The members of staff, and what each role may do',
  description:
    'The members of staff, the invitations that nobody has accepted yet, and what each role may do',
  replies: {
    200: z.strictObject({
      items: z.array(member),
      invitations: z.array(invitation),
      permissions: z.array(z.strictObject({ name: z.string(), roles: z.array(role) })),
    }),
  },
})

export const giveRoles = route({
  id: 'giveRoles',
  tag: 'Staff members',
  method: 'PUT',
  path: '/api/staff/members/{userId}/roles/',
  access: staff(managePermission),
  summary: 'Give a member other roles, or none',
  description:
    'Give a member these roles instead of those they have; an empty list revokes. Where a role is taken, all sessions of the member end; with the last one their tickets go back. Giving or taking `owner` waits for another owner, where there is one who could decide',
  params: z.strictObject({ userId: z.uuid() }),
  body: z.strictObject({
    roles: z.array(role),
    /** The member's roles when this was decided; if they differ by now, nothing changes. */
    from: z.optional(z.array(role)),
    reason: requiredText(200),
  }),
  replies: { 200: z.strictObject({ roles: z.array(role) }), 202: waitingReply },
  errors: { 403: ['own_account'], 409: ['last_owner', 'changed', 'already_proposed'] },
})

/** The live event of a change of roles, to the member and to all staff: `{user_id}`. */
export const ROLES_CHANGED = liveEvent('roles.changed')

export const createInvitation = route({
  id: 'createInvitation',
  tag: 'Staff members',
  method: 'POST',
  path: '/api/staff/invitations/',
  access: staff(managePermission, 'none'),
  summary: 'Invite an address to the staff',
  description:
    'Invite an address to the staff, by a mail whose link is good for 7 days. The answer does not tell whether the address has an account. An open invitation to it ends. With the role `owner` it waits for another owner, where there is one who could decide',
  limits: ['invitation'],
  body: z.strictObject({ email: newEmail(), roles: z.array(role).check(z.minLength(1, 'required')) }),
  replies: { 201: invitation, 202: waitingReply },
  errors: { 409: ['already_member', 'already_proposed'] },
})

const invitationParams = z.strictObject({ invitationId: z.uuid() })

export const resendInvitation = route({
  id: 'resendInvitation',
  tag: 'Staff members',
  method: 'POST',
  path: '/api/staff/invitations/{invitationId}/resend/',
  access: staff(managePermission, 'none'),
  summary: 'Send an invitation again, with another key',
  description: 'Send an invitation again, for another 7 days; the link of the mail before is void',
  limits: ['invitation'],
  params: invitationParams,
  replies: { 200: invitation },
})

export const deleteInvitation = route({
  id: 'deleteInvitation',
  tag: 'Staff members',
  method: 'DELETE',
  path: '/api/staff/invitations/{invitationId}/',
  access: staff(managePermission, 'none'),
  summary: 'Withdraw an invitation',
  params: invitationParams,
  replies: { 204: null },
})

const key = () => pastedKey()

export const inspectInvitation = route({
  id: 'inspectInvitation',
  tag: 'Staff members',
  method: 'GET',
  path: '/api/staff/invitations/acceptance/',
  access: { who: 'customer', acts: 'own' },
  summary: 'Show what you would accept with a key from a mail',
  headers: z.object({ 'x-invitation-key': key() }),
  replies: {
    200: z.strictObject({
      email: emailText(),
      roles: z.array(role),
      /** Null if the invitation was made on the command line. */
      invited_by: z.nullable(z.string()),
      expires_at: time(),
      /** `missing`: a second factor must be set up before the invitation can be accepted. */
      two_factor: z.enum(['ok', 'missing']),
    }),
  },
  errors: { 400: ['invalid_or_expired_key'], 409: ['other_address'] },
})
named('InvitationShown', inspectInvitation.replies[200])

export const acceptInvitation = route({
  id: 'acceptInvitation',
  tag: 'Staff members',
  method: 'POST',
  path: '/api/staff/invitations/acceptance/',
  access: { who: 'customer', acts: 'own', whileBlocked: 'allowed' },
  summary: 'Accept an invitation to the staff',
  description:
    'Accept an invitation to the staff with the key from its mail. The invited address must be proven on this account. The roles count from the next call on',
  body: z.strictObject({
    key: key(),
    /** The page on which you begin; left out, it stays the one that you have. */
    first_page: z.optional(firstPage()),
  }),
  replies: { 200: z.strictObject({ roles: z.array(role) }) },
  errors: {
    400: ['invalid_or_expired_key'],
    403: ['two_factor_required', 'own_account'],
    409: ['other_address'],
  },
})

/** The live event of each change of invitations, to all staff. */
export const INVITATIONS_CHANGED = liveEvent('invitations.changed')
