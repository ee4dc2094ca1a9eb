import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { requiredText } from '#foundation/fields.ts'
import { count, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { permission, roles, staff } from '#foundation/roles.ts'

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
    }),
  },
})
named('StaffMe', getStaffMe.replies[200])

const readPermission = permission('team.read', ['admin'])
const managePermission = permission('team.manage', [], { proof: 'recent', ownerOnly: true })

const member = z.strictObject({
  id: uuidText(),
  name: z.string(),
  email: emailText(),
  roles: z.array(role),
  two_factor: z.boolean(),
  /** At the latest sign-in or renewal of a session. */
  last_seen_at: z.nullable(time()),
  open_tickets: count(),
})
named('StaffMember', member)
export type StaffMember = z.infer<typeof member>

export const listMembers = route({
  id: 'listMembers',
  tag: 'Staff members',
  method: 'GET',
  path: '/api/staff/members/',
  access: staff(readPermission),
  summary: 'The members of staff, and what each role may do',
  replies: {
    200: z.strictObject({
      items: z.array(member),
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
    'Give a member these roles instead of those they have; an empty list revokes. Where a role is taken, all sessions of the member end; with the last one their tickets go back',
  params: z.strictObject({ userId: z.uuid() }),
  body: z.strictObject({
    roles: z.array(role),
    /** The roles when this was decided; if they are others by now, nothing changes. */
    from: z.optional(z.array(role)),
    reason: requiredText(200),
  }),
  replies: { 200: z.strictObject({ roles: z.array(role) }) },
  errors: { 403: ['own_account'], 409: ['last_owner', 'changed'] },
})

/** The live event of it, to the member and to all staff: `{user_id}`. */
export const ROLES_CHANGED = liveEvent('roles.changed')
