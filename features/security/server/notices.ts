import type { Act } from '#texts/acts.js'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import type { MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { ACTIVITY_ADDED } from '#features/security/contract.ts'
import type { Notice } from './mail-templates.ts'

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
