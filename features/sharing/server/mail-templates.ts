import { paths } from '#features/paths.ts'
import type { HelperRole } from '#foundation/capability.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type Invitation = { email: string; owner: string; role: HelperRole; expires_at: Date }

const invitationText = {
  technical: m.sharing_mail_invitation,
  billing: m.sharing_mail_invitation_billing,
  full: m.sharing_mail_invitation_full,
} as const

/** The link of this mail has no key: the page shows the invitation to a person who has confirmed the address. */
export const helperInvitation = mailTemplate<Invitation>(
  'helper_invitation',
  'security',
  ({ email, owner, role, expires_at }, { locale, operator, time, link }) => ({
    subject: m.sharing_mail_invitation_subject({ operator: operator.name }, { locale }),
    stranger: true,
    paragraphs: [
      invitationText[role]({ name: owner, operator: operator.name }, { locale }),
      m.sharing_mail_invitation_how({ email }, { locale }),
    ],
    action: { label: m.sharing_mail_invitation_action({}, { locale }), url: link(paths.people()) },
    facts: [[m.sharing_mail_until({}, { locale }), time(expires_at)]],
    closing: [m.sharing_mail_ignore({}, { locale })],
  }),
)

export const invitationAccepted = mailTemplate<{ grantee: string }>(
  'helper_accepted',
  'security',
  ({ grantee: name }, { locale, link }) => ({
    subject: m.sharing_mail_accepted_subject({ name }, { locale }),
    paragraphs: [m.sharing_mail_accepted({ name }, { locale })],
    action: { label: m.sharing_mail_people({}, { locale }), url: link(paths.people()) },
  }),
)

type Ended = { owner: string; grantee: string; is_owner: boolean }

export const accessEnded = mailTemplate<Ended>(
  'helper_access_ended',
  'security',
  ({ owner, grantee, is_owner }, { locale, link }) => ({
    subject: is_owner
      ? m.sharing_mail_ended_owner_subject({ name: grantee }, { locale })
      : m.sharing_mail_ended_helper_subject({ name: owner }, { locale }),
    paragraphs: [
      is_owner
        ? m.sharing_mail_ended_owner({ name: grantee }, { locale })
        : m.sharing_mail_ended_helper({ name: owner }, { locale }),
    ],
    action: { label: m.sharing_mail_people({}, { locale }), url: link(paths.people()) },
  }),
)
