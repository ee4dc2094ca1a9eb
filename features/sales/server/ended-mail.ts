import { paths } from '#features/paths.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import * as m from '#texts/messages.js'

/** `plan` is its name in the language of the mail. */
type Ended = { host: string; host_id: string; plan: string }

const timeEnded = mailTemplate<Ended>(
  'time_of_former_owner_ended',
  'money',
  ({ host, host_id, plan }, { locale, link }) => ({
    subject: m.sales_mail_ended_subject({ host }, { locale }),
    own: [host, plan],
    paragraphs: [m.sales_mail_ended_text({ host, plan }, { locale }), m.sales_mail_ended_why({}, { locale })],
    action: { label: m.licences_mail_open({}, { locale }), url: link(paths.host(host_id)) },
  }),
)

/** Tells the owner of a host that paid time which a former owner has bought has ended, as that payment was refunded. */
export async function mailEnded(
  app: App,
  tx: Tx,
  { user_id, name: host, public_id: host_id }: HostRow,
  plan_name: Translated,
): Promise<void> {
  const user = await findUser(tx, user_id)
  if (!user?.is_active) return
  const { id, email: to, locale } = user
  const values = { host, host_id, plan: plan_name[locale] }
  await enqueueMail(app, tx, { user_id: id, to, locale, template: timeEnded, values })
}
