import { paths } from '#features/paths.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as m from '#texts/messages.js'
import type { AgreementRow } from './queries.ts'

// The most servers that a mail names. Nobody would read a longer mail; the pages list all servers.
const MOST_NAMED = 20

type Ending = { hosts: readonly HostRow[]; keeps: boolean; only?: string | undefined }

/** Tells both sides, or only the account `only`, that the agreement has ended, with the servers and how long they are paid. */
export async function mailEnded(
  app: App,
  tx: Tx,
  row: AgreementRow,
  { hosts, keeps, only }: Ending,
): Promise<void> {
  const [owner_id, payer_id] = [must(row.owner_id), must(row.payer_id)]
  const names = await displayNames(app, tx, [owner_id, payer_id])
  const servers = hosts.slice(0, MOST_NAMED).map(({ name, paid_until }) => ({ name, paid_until }))
  const values = { owner: names.of(owner_id).name, payer: names.of(payer_id).name, servers, keeps }
  for (const to of [owner_id, payer_id])
    if (only === undefined || only === to)
      await mailTo(app, tx, to, agreementEnded, { ...values, is_owner: to === owner_id })
}

type Ended = {
  owner: string
  payer: string
  is_owner: boolean
  /** True if the renewals go on, from the owner's balance. */
  keeps: boolean
  servers: readonly { name: string; paid_until: Date | null }[]
}

const ended = { owner: EXAMPLE.name, payer: EXAMPLE.other, is_owner: true, keeps: false, servers: [] }

const agreementEnded = mailTemplate<Ended>(
  'agreement_ended',
  'money',
  [ended, { ...ended, keeps: true }, { ...ended, is_owner: false }],
  ({ owner, payer, is_owner, keeps, servers }, { locale, link, time }) => ({
    subject: is_owner
      ? m.payers_mail_ended_owner_subject({ name: payer }, { locale })
      : m.payers_mail_ended_payer_subject({ name: owner }, { locale }),
    paragraphs: [
      is_owner
        ? m.payers_mail_ended_owner({ name: payer }, { locale })
        : m.payers_mail_ended_payer({ name: owner }, { locale }),
      ...(is_owner ? [keeps ? m.payers_mail_keeps({}, { locale }) : m.payers_mail_off({}, { locale })] : []),
    ],
    own: is_owner ? servers.map(({ name }) => name) : [],
    facts: servers.map(
      ({ name, paid_until }) =>
        [
          name,
          paid_until
            ? m.payers_mail_paid_until({ date: time(paid_until) }, { locale })
            : m.payers_mail_free({}, { locale }),
        ] as const,
    ),
    action: { label: m.payers_mail_open({}, { locale }), url: link(paths.paidFor()) },
  }),
)
