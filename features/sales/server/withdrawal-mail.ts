import { paths } from '#features/paths.ts'
import { toMoney } from '#foundation/money.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

/** `proposed_refund` in minor units. */
type Values = {
  host: string
  /** The public id. */
  host_id: string
  plan: string
  order_id: string
  ordered_at: Date
  declared_at: Date
  proposed_refund: bigint
  currency: string
}

/** The mail to a customer who has withdrawn. It names the order, the time and the amount, as proof that they withdrew in time. */
export const withdrawalReceived = mailTemplate<Values>(
  'withdrawal_received',
  'money',
  (values, { locale, link, money, time }) => {
    const { host, host_id, plan, order_id, ordered_at, declared_at, proposed_refund, currency } = values
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
export const withdrawalWaits = mailTemplate<Waiting>(
  'withdrawal_waits',
  'rest',
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
