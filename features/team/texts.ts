import type { Locale } from '#foundation/locale.ts'
import type { Role } from '#foundation/roles.ts'
import { m } from '#texts/messages.js'

const roles = {
  support: m.team_role_support,
  billing: m.team_role_billing,
  admin: m.team_role_admin,
  owner: m.team_role_owner,
} as const satisfies Record<Role, unknown>

/** The name of a role, in the page's language or in `locale`. */
export const roleText = (role: Role, locale?: Locale): string =>
  roles[role]({}, locale ? { locale } : undefined)
