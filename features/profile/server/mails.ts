import { paths } from '#features/paths.ts'
import { mailTemplate, type MailContent, type MailContext } from '#foundation/server/mail/mail-template.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

/** The mail whose link proves an address. It names the account, because a stranger may have made the account (rule 37). */
export const confirmEmail = mailTemplate<{ email: string; key: string; account: string; invite?: string }>(
  'confirm_email',
  'security',
  [
    { ...EXAMPLE, account: EXAMPLE.email },
    { ...EXAMPLE, account: 'office@example.com' },
  ],
  ({ email, key, account, invite }, { locale, links, operator }) => ({
    subject: m.profile_mail_confirm_subject({}, { locale }),
    stranger: true,
    paragraphs: [
      account === email
        ? m.profile_mail_confirm_new({ email, operator: operator.name }, { locale })
        : m.profile_mail_confirm_added({ email, account, operator: operator.name }, { locale }),
    ],
    action: {
      label: m.profile_mail_confirm_action({}, { locale }),
      url: withInvitation(links.verify(key), invite),
    },
    closing: [m.profile_mail_confirm_closing({}, { locale })],
  }),
)

function withInvitation(link: string, invite: string | undefined): string {
  if (invite === undefined) return link
  const url = new URL(link)
  url.searchParams.set('invite', invite)
  return url.href
}

/** The facts of a notice: address, time and device. */
export type Notice = { email: string; at: Date; ip: string; user_agent: string }

export const addressAdded = mailTemplate<Notice>(
  'address_added',
  'security',
  [EXAMPLE],
  (notice, context) => {
    const { locale } = context
    return noticeOf(notice, context, {
      subject: m.profile_mail_added_subject({}, { locale }),
      paragraphs: [
        m.profile_mail_added_text({ email: notice.email, operator: context.operator.name }, { locale }),
      ],
    })
  },
)

export const addressRemoved = mailTemplate<Notice>(
  'address_removed',
  'security',
  [EXAMPLE],
  (notice, context) => {
    const { locale } = context
    return noticeOf(notice, context, {
      subject: m.profile_mail_removed_subject({}, { locale }),
      paragraphs: [
        m.profile_mail_removed_text({ email: notice.email, operator: context.operator.name }, { locale }),
      ],
    })
  },
)

export const primaryChanged = mailTemplate<Notice>(
  'primary_address_changed',
  'security',
  [EXAMPLE],
  (notice, context) => {
    const { locale } = context
    return noticeOf(notice, context, {
      subject: m.profile_mail_primary_subject({}, { locale }),
      paragraphs: [
        m.profile_mail_primary_text({ email: notice.email, operator: context.operator.name }, { locale }),
      ],
    })
  },
)

/** The last mail an account gets. */
export const accountDeleted = mailTemplate<{ email: string; by_staff: boolean; is_paid_out: boolean }>(
  'account_deleted',
  'security',
  [
    { ...EXAMPLE, by_staff: false, is_paid_out: false },
    { ...EXAMPLE, by_staff: false, is_paid_out: true },
    { ...EXAMPLE, by_staff: true, is_paid_out: false },
  ],
  ({ email, by_staff, is_paid_out }, { locale, operator }) => ({
    subject: m.profile_mail_deleted_subject({}, { locale }),
    paragraphs: [
      by_staff
        ? m.profile_mail_erased_text({ email, operator: operator.name }, { locale })
        : is_paid_out
          ? m.profile_mail_deleted_paid_out_text({ email, operator: operator.name }, { locale })
          : m.profile_mail_deleted_text({ email, operator: operator.name }, { locale }),
    ],
    closing: [m.profile_mail_deleted_closing({}, { locale })],
  }),
)

export const dataExportReady = mailTemplate<{ key: string; expires_at: Date }>(
  'data_export_ready',
  'security',
  [{ ...EXAMPLE, expires_at: EXAMPLE.until }],
  ({ key, expires_at }, { locale, operator, time, link }) => ({
    subject: m.profile_mail_data_subject({ operator: operator.name }, { locale }),
    paragraphs: [m.profile_mail_data_text({ operator: operator.name }, { locale })],
    action: {
      label: m.profile_mail_data_action({}, { locale }),
      url: link(paths.signIn(), { view: 'data-export', key }),
    },
    facts: [[m.profile_mail_data_until({}, { locale }), time(expires_at)]],
    closing: [m.profile_mail_data_closing({}, { locale })],
  }),
)

function noticeOf(
  { at, ip, user_agent }: Notice,
  { locale, time }: MailContext,
  said: MailContent,
): MailContent {
  return {
    ...said,
    own: [ip],
    facts: [
      [m.mail_time({}, { locale }), time(at)],
      [m.mail_ip({}, { locale }), ip],
      [m.mail_device({}, { locale }), user_agent],
    ],
    closing: [m.mail_not_you({}, { locale })],
  }
}
