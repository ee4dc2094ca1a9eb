import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { mailTemplate, type MailContext, type MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { ACTIVITY_ADDED } from '#features/security/contract.ts'
import type { Act } from '#texts/acts.js'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

/**
 * Writes an action into the audit and mails the owner of the account: the attack is an intruder at an
 * unlocked screen, and the owner learns of it by the mail.
 */
export async function notice(
  app: App,
  tx: Tx,
  caller: Caller,
  { user_id, email, locale }: Actor,
  { act, letter, detail = {} }: { act: Act; letter: MailTemplate<Notice>; detail?: Notice['detail'] },
): Promise<void> {
  const { ip, user_agent } = caller
  await recordAction(tx, { user_id, act, ...originOf(caller), detail })
  await publish(tx, user_id, { type: ACTIVITY_ADDED })
  const values: Notice = { at: new Date(), ip, user_agent, detail }
  await enqueueMail(app, tx, { user_id, to: email, locale, template: letter, values })
}

/** The facts of a notice: time, address and device. */
type Notice = { at: Date; ip: string; user_agent: string; detail: { name?: string } }

type Inputs = { operator: string; name: string }
type Text = (inputs: Inputs, options: { locale: MailContext['locale'] }) => string
type Title = (inputs: Record<string, never>, options: { locale: MailContext['locale'] }) => string

const noticeTemplate = (kind: string, subject: Title, text: Text) =>
  mailTemplate<Notice>(
    kind,
    'security',
    [{ ...EXAMPLE, detail: { name: 'YubiKey' } }],
    ({ at, ip, user_agent, detail }, { locale, operator, time, link }) => ({
      subject: subject({}, { locale }),
      // The reader has named the passkey.
      own: [ip, detail.name ?? ''],
      paragraphs: [text({ operator: operator.name, name: detail.name ?? '' }, { locale })],
      action: { label: m.security_mail_action({}, { locale }), url: link(paths.security()) },
      facts: [
        [m.mail_time({}, { locale }), time(at)],
        [m.mail_ip({}, { locale }), ip],
        [m.mail_device({}, { locale }), user_agent],
      ],
      closing: [m.security_mail_not_you({}, { locale })],
    }),
  )

export const passwordChanged = noticeTemplate(
  'password_changed',
  m.security_mail_password_subject,
  m.security_mail_password,
)
export const totpOn = noticeTemplate('totp_on', m.security_mail_totp_on_subject, m.security_mail_totp_on)
export const totpOff = noticeTemplate('totp_off', m.security_mail_totp_off_subject, m.security_mail_totp_off)
export const codesRegenerated = noticeTemplate(
  'codes_regenerated',
  m.security_mail_codes_subject,
  m.security_mail_codes,
)
export const keyAdded = noticeTemplate(
  'key_added',
  m.security_mail_key_added_subject,
  m.security_mail_key_added,
)
export const keyRemoved = noticeTemplate(
  'key_removed',
  m.security_mail_key_removed_subject,
  m.security_mail_key_removed,
)
