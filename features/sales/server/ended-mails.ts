import { paths } from '#features/paths.ts'
import type { Translated } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import * as m from '#texts/messages.js'

type Ended = { host: string; host_id: string; plan: Translated }

const timeEnded = mailTemplate<Ended>(
  'time_of_former_owner_ended',
  'money',
  ({ host, host_id, plan }, { locale, link }) => ({
    subject: m.sales_mail_ended_subject({ host }, { locale }),
    own: [host, plan[locale]],
    paragraphs: [
      m.sales_mail_ended_text({ host, plan: plan[locale] }, { locale }),
      m.sales_mail_ended_why({}, { locale }),
    ],
    action: { label: m.licences_mail_open({}, { locale }), url: link(paths.host(host_id)) },
  }),
)

/** Tells the owner of a host that paid time which a former owner has bought has ended, as that payment was refunded. */
export async function mailEnded(
  app: App,
  tx: Tx,
  { user_id, name: host, public_id: host_id }: HostRow,
  plan: Translated,
): Promise<void> {
  await mailTo(app, tx, user_id, timeEnded, { host, host_id, plan })
}
