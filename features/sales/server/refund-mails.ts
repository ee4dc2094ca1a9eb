import { paths } from '#features/paths.ts'
import { mayDo } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import type { Translated } from '#foundation/locale.ts'
import { toMoney } from '#foundation/money.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { refundPermission } from '#features/finance/contract.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

type Declared = { declared_at: Date; proposed_refund: bigint; currency: string }

/** Queues a mail about a proposed refund to the members of billing, or, if there are none, to all members who may refund. */
export async function mailBilling(
  app: App,
  tx: Tx,
  { user_id, name: host }: Pick<HostRow, 'user_id' | 'name'>,
  declared: Declared,
): Promise<void> {
  const names = await displayNames(app, tx, [user_id])
  const values = { customer: names.of(user_id).name, host, ...declared }
  const members = (await staffMembers(tx)).filter(
    ({ id, staff_roles }) => id !== user_id && mayDo(staff_roles, refundPermission),
  )
  const billing = members.filter(({ staff_roles }) => staff_roles.includes('billing'))
  for (const { id } of billing.length > 0 ? billing : members)
    await mailTo(app, tx, id, withdrawalWaits, values)
}

/** `proposed_refund` in minor units. */
type Values = {
  host: string
  /** The public id. */
  host_id: string
  plan: Translated
  order_id: string
  ordered_at: Date
  declared_at: Date
  proposed_refund: bigint
  currency: string
}

const plan = { en: 'Starter', de: 'Starter', ru: 'Starter' }
const asked = { host: 'web-1', declared_at: EXAMPLE.until, proposed_refund: 14_00n, currency: 'EUR' }

/** The mail to a customer who has withdrawn. It names the order, the time and the amount, as proof that they withdrew in time. */
export const withdrawalReceived = mailTemplate<Values>(
  'withdrawal_received',
  'money',
  [{ ...asked, host_id: 'web-1', plan, order_id: '1042', ordered_at: EXAMPLE.at }],
  (values, { locale, link, money, time }) => {
    const { host, host_id, order_id, ordered_at, declared_at, proposed_refund, currency } = values
    const plan = values.plan[locale]
    const said = { host, plan, order: order_id, ordered: time(ordered_at), declared: time(declared_at) }
    return {
      subject: m.sales_mail_withdrawal_subject({}, { locale }),
      own: [host, plan],
      paragraphs: [
        m.sales_mail_withdrawal_text(said, { locale }),
        m.sales_mail_withdrawal_order(said, { locale }),
        m.sales_mail_withdrawal_refund({ amount: money(toMoney(proposed_refund, currency)) }, { locale }),
      ],
      action: { label: m.licences_mail_open({}, { locale }), url: link(paths.host(host_id)) },
      closing: [m.sales_mail_withdrawal_closing({}, { locale })],
    }
  },
)

type Waiting = {
  customer: string
  host: string
  declared_at: Date
  proposed_refund: bigint
  currency: string
}

/** The mail to the members of staff who book the refund. */
const withdrawalWaits = mailTemplate<Waiting>(
  'withdrawal_waits',
  'rest',
  [{ ...asked, customer: EXAMPLE.name }],
  ({ customer, host, declared_at, proposed_refund, currency }, { locale, link, money, time }) => {
    const said = {
      customer,
      host,
      amount: money(toMoney(proposed_refund, currency)),
      declared: time(declared_at),
    }
    return {
      subject: m.sales_mail_withdrawal_waits_subject(said, { locale }),
      paragraphs: [m.sales_mail_withdrawal_waits_text(said, { locale })],
      action: { label: m.sales_mail_withdrawal_waits_open({}, { locale }), url: link(paths.approvals()) },
      closing: [m.sales_mail_withdrawal_waits_closing({}, { locale })],
    }
  },
)

type Ended = { host: string; host_id: string; plan: Translated }

const timeEnded = mailTemplate<Ended>(
  'time_of_former_owner_ended',
  'money',
  [{ host: 'web-1', host_id: 'web-1', plan }],
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
