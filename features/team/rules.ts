import type { Role } from '#foundation/roles.ts'

/** The roles that a robot may have: what only owners do, a robot never does. */
export const robotRoles = ['support', 'billing', 'admin'] as const satisfies readonly Role[]

/** The most robots of a team, and the most tokens of a robot, that have not ended. */
export const MOST_ROBOTS = 50
export const MOST_ROBOT_TOKENS = 20
