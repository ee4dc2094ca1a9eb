import * as z from 'zod/mini'
import { liveEvent, route } from '#foundation/contract.ts'
import { requiredText, uuid } from '#foundation/fields.ts'
import { named, time, uuidText } from '#foundation/printed.ts'
import { staff } from '#foundation/roles.ts'
import { TOKEN_DAYS } from '#features/sharing/rules.ts'
import { managePermission, readPermission } from './contract.ts'
import { robotRoles } from './rules.ts'

/** Robots: members of staff that are no person. They act by tokens of their own, within their roles, and never confirm. */

const who = z.nullable(z.strictObject({ id: uuidText(), name: z.string() }))
const name = requiredText(100)
const roles = z.array(z.enum(robotRoles, { error: 'invalid' })).check(z.minLength(1, 'required'))
const reason = requiredText(200)

const token = z.strictObject({
  id: uuidText(),
  name: z.string(),
  /** The prefix and the last letters of the secret. */
  hint: z.string(),
  /** The owner who made it; null for the command line. */
  made_by: who,
  created_at: time(),
  ends_at: time(),
  /** At most a minute old; null before the first use. */
  last_used_at: z.nullable(time()),
  last_used_ip: z.nullable(z.string()),
})
named('RobotToken', token)
export type RobotToken = z.infer<typeof token>

const robot = z.strictObject({
  id: uuidText(),
  name: z.string(),
  roles: z.array(z.enum(robotRoles)),
  /** The owner who made it; null for the command line. */
  made_by: who,
  created_at: time(),
  tokens: z.array(token),
})
named('Robot', robot)
export type Robot = z.infer<typeof robot>

const params = z.strictObject({ robotId: uuid })
const tokenParams = z.strictObject({ robotId: uuid, tokenId: uuid })

export const listRobots = route({
  id: 'listRobots',
  tag: 'Staff members',
  method: 'GET',
  path: '/api/staff/robots/',
  access: staff(readPermission),
  summary: 'The robots of the team, with their tokens',
  replies: { 200: z.strictObject({ items: z.array(robot) }) },
})

export const createRobot = route({
  id: 'createRobot',
  tag: 'Staff members',
  method: 'POST',
  path: '/api/staff/robots/',
  access: staff(managePermission, 'none'),
  summary: 'Make a robot: a member that is no person',
  description:
    'A robot makes calls of staff by tokens of its own, within its roles. It never signs in, never confirms what waits for a second member, and neither it nor whoever made it or its tokens decides on what it asks for',
  limits: ['invitation'],
  body: z.strictObject({ name, roles }),
  replies: { 201: robot },
  errors: { 409: ['too_many_robots'] },
})

export const giveRobotRoles = route({
  id: 'giveRobotRoles',
  tag: 'Staff members',
  method: 'PUT',
  path: '/api/staff/robots/{robotId}/roles/',
  access: staff(managePermission, 'none'),
  summary: 'Give a robot other roles',
  params,
  body: z.strictObject({ roles, reason }),
  replies: { 200: robot },
})

export const endRobot = route({
  id: 'endRobot',
  tag: 'Staff members',
  method: 'DELETE',
  path: '/api/staff/robots/{robotId}/',
  access: staff(managePermission, 'none'),
  summary: 'End a robot with its tokens and requests',
  params,
  query: z.strictObject({ reason }),
  replies: { 204: null },
})

export const listRobotTokens = route({
  id: 'listRobotTokens',
  tag: 'Staff members',
  method: 'GET',
  path: '/api/staff/robots/{robotId}/tokens/',
  access: staff(readPermission),
  summary: 'The tokens of a robot',
  params,
  replies: { 200: z.strictObject({ items: z.array(token) }) },
})

export const createRobotToken = route({
  id: 'createRobotToken',
  tag: 'Staff members',
  method: 'POST',
  path: '/api/staff/robots/{robotId}/tokens/',
  access: staff(managePermission, 'none'),
  summary: 'Make a token of a robot',
  description:
    'The answer holds the secret, which is shown this once. `ends` is the number of days. All owners are mailed',
  limits: ['invitation'],
  params,
  body: z.strictObject({ name, ends: z.enum(TOKEN_DAYS, { error: 'invalid' }) }),
  replies: { 201: z.extend(token, { secret: z.string() }) },
  errors: { 409: ['too_many_tokens'] },
})

export const endRobotToken = route({
  id: 'endRobotToken',
  tag: 'Staff members',
  method: 'DELETE',
  path: '/api/staff/robots/{robotId}/tokens/{tokenId}/',
  access: staff(managePermission, 'none'),
  summary: 'End a token of a robot',
  description: 'Its next call is refused',
  params: tokenParams,
  replies: { 204: null },
})

/** The live event of each change of robots and their tokens, to all staff. */
export const ROBOTS_CHANGED = liveEvent('robots.changed')
