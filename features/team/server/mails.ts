import { paths } from '#features/paths.ts'
import type { Role } from '#foundation/roles.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { roleText } from '#features/team/texts.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

type RolesMail = {
  name: string
  roles: readonly Role[]
  reason?: string | undefined
  /** The name of who gave a role that no second owner confirmed: for 14 days neither decides on what the other asks for. */
  introducer?: string | undefined
  /** True if the reader is the member; false if it is an owner, who is told of the change. */
  is_reader: boolean
  at: Date
}

const example = { ...EXAMPLE, expires_at: EXAMPLE.until, roles: ['support'] as const }

export const rolesChanged = mailTemplate<RolesMail>(
  'staff_roles_changed',
  'security',
  [
    { ...example, is_reader: true, introducer: EXAMPLE.other },
    { ...example, is_reader: false, introducer: EXAMPLE.other },
    { ...example, is_reader: true, roles: [] },
    { ...example, is_reader: false, roles: [] },
  ],
  ({ name, roles, reason, introducer, is_reader, at }, { locale, operator, time, link }) => {
    const given = { name, operator: operator.name }
    const [mine, theirs] =
      roles.length === 0
        ? [m.team_mail_revoked_you, m.team_mail_revoked]
        : [m.team_mail_roles_you, m.team_mail_roles]
    const barred = is_reader ? m.team_mail_barred_you : m.team_mail_barred
    return {
      subject: is_reader
        ? m.team_mail_roles_you_subject(given, { locale })
        : m.team_mail_roles_subject(given, { locale }),
      paragraphs: [
        is_reader ? mine(given, { locale }) : theirs(given, { locale }),
        ...(introducer === undefined ? [] : [barred({ name, introducer }, { locale })]),
      ],
      facts: [
        ...(roles.length > 0 ? [[m.team_roles({}, { locale }), namesOf(roles, locale)] as const] : []),
        ...(reason === undefined ? [] : [[m.team_reason({}, { locale }), reason] as const]),
        [m.mail_time({}, { locale }), time(at)],
      ],
      ...(is_reader
        ? {}
        : { action: { label: m.team_mail_action({}, { locale }), url: link(paths.team()) } }),
    }
  },
)

type InvitationMail = {
  email: string
  roles: readonly Role[]
  /** Empty if the invitation was made on the command line. */
  inviter: string
  key: string
  expires_at: Date
}

export const staffInvitation = mailTemplate<InvitationMail>(
  'staff_invitation',
  'security',
  [
    { ...example, inviter: EXAMPLE.other },
    { ...example, inviter: '' },
  ],
  ({ email, roles, inviter, key, expires_at }, { locale, operator, time, link }) => ({
    subject: m.team_mail_invitation_subject({ operator: operator.name }, { locale }),
    stranger: true,
    paragraphs: [
      inviter === ''
        ? m.team_mail_invitation({ operator: operator.name }, { locale })
        : m.team_mail_invitation_by({ operator: operator.name, name: inviter }, { locale }),
      m.team_mail_invitation_how({ email }, { locale }),
    ],
    action: {
      label: m.team_mail_invitation_action({}, { locale }),
      url: link(paths.signIn(), { invite: key }),
    },
    facts: [
      [m.team_roles({}, { locale }), namesOf(roles, locale)],
      [m.team_mail_invitation_until({}, { locale }), time(expires_at)],
    ],
    closing: [m.team_mail_invitation_ignore({}, { locale })],
  }),
)

const namesOf = (roles: readonly Role[], locale: MailLocale) =>
  roles.map((role) => roleText(role, locale)).join(', ')
