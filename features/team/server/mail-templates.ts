import { paths } from '#features/paths.ts'
import type { Role } from '#foundation/roles.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type RolesMail = {
  name: string
  roles: readonly Role[]
  reason: string
  /** The reader is the member themselves, and not an owner who is told of it. */
  is_reader: boolean
  at: Date
}

export const rolesChanged = mailTemplate<RolesMail>(
  'staff_roles_changed',
  'security',
  ({ name, roles, reason, is_reader, at }, { locale, operator, time, link }) => {
    const given = { name, operator: operator.name }
    const [mine, theirs] =
      roles.length === 0
        ? [m.team_mail_revoked_you, m.team_mail_revoked]
        : [m.team_mail_roles_you, m.team_mail_roles]
    return {
      subject: is_reader
        ? m.team_mail_roles_you_subject(given, { locale })
        : m.team_mail_roles_subject(given, { locale }),
      paragraphs: [is_reader ? mine(given, { locale }) : theirs(given, { locale })],
      facts: [
        ...(roles.length > 0 ? [[m.team_roles({}, { locale }), namesOf(roles, locale)] as const] : []),
        [m.team_reason({}, { locale }), reason],
        [m.mail_time({}, { locale }), time(at)],
      ],
      ...(is_reader
        ? {}
        : { action: { label: m.team_mail_action({}, { locale }), url: link(paths.team()) } }),
    }
  },
)

const names = {
  support: m.team_role_support,
  billing: m.team_role_billing,
  admin: m.team_role_admin,
  owner: m.team_role_owner,
} as const

const namesOf = (roles: readonly Role[], locale: MailLocale) =>
  roles.map((role) => names[role]({}, { locale })).join(', ')
