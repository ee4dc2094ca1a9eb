import { paths } from '#features/paths.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import type { HelperRole } from '#foundation/capability.ts'
import { displayNames, mailToAddress } from '#features/profile/server/profile.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'
import type { GrantRow } from './queries.ts'

/** Mails the invitation, in the owner's language (`locale`) if nobody has proven the invited address. */
export async function mailInvitation(app: App, tx: Tx, grant: GrantRow, locale: MailLocale): Promise<void> {
  const { email, owner_id, role, expires_at } = grant
  const names = await displayNames(app, tx, [owner_id])
  const values = { email, owner: names.of(owner_id).name, role, expires_at }
  await mailToAddress(app, tx, { email, locale }, helperInvitation, values)
}

/** Tells the owner that the helper has accepted. */
export async function mailAccepted(app: App, tx: Tx, { owner_id, grantee_id }: GrantRow): Promise<void> {
  const names = await displayNames(app, tx, [grantee_id])
  await mailTo(app, tx, owner_id, invitationAccepted, { grantee: names.of(must(grantee_id)).name })
}

/** Tells the owner and the helper that the access has ended. */
export async function mailEnded(app: App, tx: Tx, { owner_id, grantee_id }: GrantRow): Promise<void> {
  const left = must(grantee_id)
  const names = await displayNames(app, tx, [owner_id, left])
  const values = { owner: names.of(owner_id).name, grantee: names.of(left).name }
  await mailTo(app, tx, owner_id, accessEnded, { ...values, is_owner: true })
  await mailTo(app, tx, left, accessEnded, { ...values, is_owner: false })
}

/** Tells the owner that an invitation was declined, or that nobody has answered it in time. */
export async function mailOver(
  app: App,
  tx: Tx,
  { owner_id, email }: GrantRow,
  how: 'declined' | 'expired',
): Promise<void> {
  await mailTo(app, tx, owner_id, invitationOver, { email, how })
}

type Invitation = { email: string; owner: string; role: HelperRole; expires_at: Date }

const invitationText = {
  technical: m.sharing_mail_invitation,
  billing: m.sharing_mail_invitation_billing,
  full: m.sharing_mail_invitation_full,
  read: m.sharing_mail_invitation_read,
} as const

const ended = { owner: EXAMPLE.name, grantee: EXAMPLE.other, is_owner: true }
const invited = (role: HelperRole) => ({ ...EXAMPLE, ...ended, role, expires_at: EXAMPLE.until })

/** The link of this mail has no key: the page shows the invitation to a person who has confirmed the address. */
const helperInvitation = mailTemplate<Invitation>(
  'helper_invitation',
  'security',
  [invited('technical'), invited('billing'), invited('full'), invited('read')],
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

const invitationAccepted = mailTemplate<{ grantee: string }>(
  'helper_accepted',
  'security',
  [ended],
  ({ grantee: name }, { locale, link }) => ({
    subject: m.sharing_mail_accepted_subject({ name }, { locale }),
    paragraphs: [m.sharing_mail_accepted({ name }, { locale })],
    action: { label: m.sharing_mail_people({}, { locale }), url: link(paths.people()) },
  }),
)

const invitationOver = mailTemplate<{ email: string; how: 'declined' | 'expired' }>(
  'helper_invitation_over',
  'security',
  [
    { email: EXAMPLE.email, how: 'declined' },
    { email: EXAMPLE.email, how: 'expired' },
  ],
  ({ email, how }, { locale, link }) => ({
    subject: m.sharing_mail_over_subject({ email }, { locale }),
    paragraphs: [
      how === 'declined'
        ? m.sharing_mail_declined({ email }, { locale })
        : m.sharing_mail_expired({ email }, { locale }),
    ],
    action: { label: m.sharing_mail_people({}, { locale }), url: link(paths.people()) },
  }),
)

type Ended = { owner: string; grantee: string; is_owner: boolean }

const accessEnded = mailTemplate<Ended>(
  'helper_access_ended',
  'security',
  [ended, { ...ended, is_owner: false }],
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
