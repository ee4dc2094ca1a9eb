import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { named } from '#foundation/printed.ts'
import { roles } from '#foundation/roles.ts'

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
