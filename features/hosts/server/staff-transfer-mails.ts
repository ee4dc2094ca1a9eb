import { paths } from '#features/paths.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'
import type { HostRow } from './queries.ts'
import type { TransferRow } from './transfer-queries.ts'

/** Tells the owner that staff have offered a host of theirs, and to whom: who did not ask for it withdraws the offer. */
export async function mailOfferedByStaff(app: App, tx: Tx, row: TransferRow, host: HostRow): Promise<void> {
  const values = { email: must(row.email), host: host.name, host_id: host.public_id, until: row.expires_at }
  await mailTo(app, tx, host.user_id, transferByStaff, values)
}

type ByStaff = { email: string; host: string; host_id: string; until: Date }

const transferByStaff = mailTemplate<ByStaff>(
  'transfer_by_staff',
  'security',
  [{ ...EXAMPLE, host: 'web-1', host_id: 'web-1' }],
  ({ email, host, host_id, until }, { locale, operator, time, link }) => ({
    own: [host],
    subject: m.hosts_mail_by_staff_subject({ host }, { locale }),
    paragraphs: [
      m.hosts_mail_by_staff({ operator: operator.name, host, email }, { locale }),
      m.hosts_mail_by_staff_unwanted({}, { locale }),
    ],
    action: { label: m.hosts_mail_open({}, { locale }), url: link(paths.host(host_id)) },
    facts: [[m.hosts_mail_until({}, { locale }), time(until)]],
  }),
)
