import { paths } from '#features/paths.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import {
  mailTemplate,
  type MailContent,
  type MailLocale,
  type MailTemplate,
} from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'
import type { PayoutRow } from './queries.ts'

/** The values of the mails about a payout. */
export type Values = {
  amount: Money
  reference: string
  created_at: Date
  /** The last four characters of the IBAN; null for a payment that goes back to its source. */
  iban_end: string | null
  /** The balance after the movement; absent where it did not move. */
  balance?: Money
  /** The reason why a payout failed or came back. */
  failure: string
  /** True where the account is deleted: the mail has no link, and says how long its address is kept. */
  is_gone?: boolean
}

export const valuesOf = (row: PayoutRow): Values => ({
  amount: toMoney(row.amount, row.currency),
  reference: row.reference,
  created_at: row.created_at,
  iban_end: row.iban_end,
  failure: row.failure,
})

const example: Values = {
  amount: toMoney(25_00n, 'EUR'),
  reference: 'PO-3F9A27C10B',
  created_at: EXAMPLE.at,
  iban_end: '3000',
  balance: toMoney(12_40n, 'EUR'),
  failure: 'The bank does not know this account.',
}
const { balance: _none, ...withoutBalance } = example
const examples = [
  example,
  { ...example, iban_end: null },
  { ...withoutBalance, is_gone: true },
  { ...withoutBalance, iban_end: null, is_gone: true },
] as const

export const payoutRequested = payoutTemplate('payout_requested', (said, at) => ({
  subject: m.payouts_mail_requested_subject(said, at),
  paragraphs: [m.payouts_mail_requested_text(said, at)],
  closing: [m.mail_not_you({}, at)],
}))

export const payoutSent = payoutTemplate('payout_sent', (said, at) => ({
  subject: m.payouts_mail_sent_subject(said, at),
  paragraphs: [m.payouts_mail_sent_text(said, at)],
}))

export const payoutReturned = payoutTemplate('payout_returned', (said, at, { failure, is_gone }) => ({
  subject: m.payouts_mail_returned_subject(said, at),
  paragraphs: [
    is_gone ? m.payouts_mail_returned_gone_text(said, at) : m.payouts_mail_returned_text(said, at),
  ],
  more: failure === '' ? [] : [[m.payouts_mail_reason({}, at), failure]],
}))

type Written = (
  said: { amount: string },
  at: { locale: MailLocale },
  values: Values,
) => Pick<MailContent, 'subject' | 'paragraphs' | 'closing'> & { more?: [string, string][] }

/** Defines a mail about a payout: its amount, where it goes, and its reference. */
function payoutTemplate(kind: string, write: Written): MailTemplate<Values> {
  return mailTemplate<Values>(kind, 'money', examples, (values, { locale, money, link }) => {
    const { more = [], ...content } = write({ amount: money(values.amount) }, { locale }, values)
    const to =
      values.iban_end === null
        ? m.payouts_to_source({}, { locale })
        : m.payouts_to_account({ end: values.iban_end }, { locale })
    return {
      ...content,
      facts: [
        [m.payouts_to({}, { locale }), to],
        [m.payouts_reference({}, { locale }), values.reference],
        ...more,
        ...(values.balance
          ? [[m.finance_mail_balance({}, { locale }), money(values.balance)] as [string, string]]
          : []),
      ],
      ...(values.is_gone
        ? {
            closing: [
              (values.iban_end === null ? m.payouts_mail_refund_gone : m.payouts_mail_gone)({}, { locale }),
            ],
          }
        : { action: { label: m.finance_mail_action({}, { locale }), url: link(paths.finances()) } }),
    }
  })
}
