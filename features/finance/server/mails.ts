import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import {
  mailTemplate,
  type Examples,
  type MailContent,
  type MailLocale,
  type MailTemplate,
} from '#foundation/server/mail/mail-template.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import * as m from '#texts/messages.js'

/**
 * Queues a mail to the customer about money that moved; amounts in minor units. A closed account gets no
 * mail.
 */
export async function notifyCustomer(
  app: App,
  tx: Tx,
  user_id: string,
  template: MailTemplate<MoneyMail>,
  { amount, balance }: { amount: bigint; balance: bigint },
): Promise<void> {
  const { currency } = app.config
  const values = { amount: toMoney(amount, currency), balance: toMoney(balance, currency) }
  await mailTo(app, tx, user_id, template, values)
}

/** The movement, and the balance after it. */
type MoneyMail = { amount: Money; balance: Money }

const [fifty, some] = [toMoney(50_00n, 'EUR'), toMoney(62_40n, 'EUR')]
const examples: Examples<MoneyMail> = [
  { amount: fifty, balance: some },
  { amount: fifty, balance: toMoney(-50_00n, 'EUR') },
]

export const paymentReceived = moneyTemplate('payment_received', (said, at) => ({
  subject: m.finance_mail_paid_subject(said, at),
  paragraphs: [m.finance_mail_paid_text(said, at)],
}))

export const voucherRedeemed = moneyTemplate('voucher_redeemed', (said, at) => ({
  subject: m.finance_mail_voucher_subject(said, at),
  paragraphs: [m.finance_mail_voucher_text(said, at)],
  closing: [m.mail_not_you({}, at)],
}))

export const creditGiven = moneyTemplate('credit_given', (said, at) => ({
  subject: m.finance_mail_credit_subject(said, at),
  paragraphs: [m.finance_mail_credit_text(said, at)],
}))

export const paymentPulledBack = moneyTemplate('charge_back', (said, at, isInDebt) => ({
  subject: m.finance_mail_charge_back_subject(said, at),
  paragraphs: [
    m.finance_mail_charge_back_text(said, at),
    ...(isInDebt ? [m.finance_mail_charge_back_debt({}, at)] : []),
  ],
}))

/** A booking of ours was a mistake. No bank has taken anything, so the words of a chargeback would blame somebody who did nothing. */
export const bookingCorrected = moneyTemplate('booking_corrected', (said, at, isInDebt) => ({
  subject: m.finance_mail_corrected_subject(said, at),
  paragraphs: [
    m.finance_mail_corrected_text(said, at),
    ...(isInDebt ? [m.finance_mail_corrected_debt({}, at)] : []),
  ],
}))

export const chargeBackUndone = moneyTemplate('charge_back_undone', (said, at) => ({
  subject: m.finance_mail_undone_subject(said, at),
  paragraphs: [m.finance_mail_undone_text(said, at)],
}))

export const paidOut = moneyTemplate('paid_out', (said, at) => ({
  subject: m.finance_mail_paid_out_subject(said, at),
  paragraphs: [m.finance_mail_paid_out_text(said, at)],
}))

export const debtWrittenOff = moneyTemplate('debt_written_off', (said, at) => ({
  subject: m.finance_mail_written_off_subject(said, at),
  paragraphs: [m.finance_mail_written_off_text(said, at)],
}))

type Written = (
  said: { amount: string },
  at: { locale: MailLocale },
  isInDebt: boolean,
) => Pick<MailContent, 'subject' | 'paragraphs' | 'closing'>

/** Defines a mail about a movement, which names the balance after it and leads to the finances. */
function moneyTemplate(kind: string, write: Written): MailTemplate<MoneyMail> {
  return mailTemplate(kind, 'money', examples, ({ amount, balance }, { locale, money, link }) => ({
    ...write({ amount: money(amount) }, { locale }, balance.amount.startsWith('-')),
    facts: [[m.finance_mail_balance({}, { locale }), money(balance)]],
    action: { label: m.finance_mail_action({}, { locale }), url: link(paths.finances()) },
  }))
}
