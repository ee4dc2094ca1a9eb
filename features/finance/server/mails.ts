import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import {
  mailTemplate,
  type MailContent,
  type MailContext,
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

export const paymentReceived = mailTemplate<MoneyMail>('payment_received', 'money', (news, context) => {
  const { locale, money } = context
  return withBalance(news, context, {
    subject: m.finance_mail_paid_subject({ amount: money(news.amount) }, { locale }),
    paragraphs: [m.finance_mail_paid_text({ amount: money(news.amount) }, { locale })],
  })
})

export const voucherRedeemed = mailTemplate<MoneyMail>('voucher_redeemed', 'money', (news, context) => {
  const { locale, money } = context
  return withBalance(news, context, {
    subject: m.finance_mail_voucher_subject({ amount: money(news.amount) }, { locale }),
    paragraphs: [m.finance_mail_voucher_text({ amount: money(news.amount) }, { locale })],
    closing: [m.mail_not_you({}, { locale })],
  })
})

export const creditGiven = mailTemplate<MoneyMail>('credit_given', 'money', (news, context) => {
  const { locale, money } = context
  return withBalance(news, context, {
    subject: m.finance_mail_credit_subject({ amount: money(news.amount) }, { locale }),
    paragraphs: [m.finance_mail_credit_text({ amount: money(news.amount) }, { locale })],
  })
})

export const paymentPulledBack = mailTemplate<MoneyMail>('charge_back', 'money', (news, context) => {
  const { locale, money } = context
  const inDebt = news.balance.amount.startsWith('-')
  return withBalance(news, context, {
    subject: m.finance_mail_charge_back_subject({ amount: money(news.amount) }, { locale }),
    paragraphs: [
      m.finance_mail_charge_back_text({ amount: money(news.amount) }, { locale }),
      ...(inDebt ? [m.finance_mail_charge_back_debt({}, { locale })] : []),
    ],
  })
})

/** A booking of ours was a mistake. No bank has taken anything, so the words of a chargeback would blame somebody who did nothing. */
export const bookingCorrected = mailTemplate<MoneyMail>('booking_corrected', 'money', (news, context) => {
  const { locale, money } = context
  const inDebt = news.balance.amount.startsWith('-')
  return withBalance(news, context, {
    subject: m.finance_mail_corrected_subject({ amount: money(news.amount) }, { locale }),
    paragraphs: [
      m.finance_mail_corrected_text({ amount: money(news.amount) }, { locale }),
      ...(inDebt ? [m.finance_mail_corrected_debt({}, { locale })] : []),
    ],
  })
})

export const chargeBackUndone = mailTemplate<MoneyMail>('charge_back_undone', 'money', (news, context) => {
  const { locale, money } = context
  return withBalance(news, context, {
    subject: m.finance_mail_undone_subject({ amount: money(news.amount) }, { locale }),
    paragraphs: [m.finance_mail_undone_text({ amount: money(news.amount) }, { locale })],
  })
})

export const paidOut = mailTemplate<MoneyMail>('paid_out', 'money', (news, context) => {
  const { locale, money } = context
  return withBalance(news, context, {
    subject: m.finance_mail_paid_out_subject({ amount: money(news.amount) }, { locale }),
    paragraphs: [m.finance_mail_paid_out_text({ amount: money(news.amount) }, { locale })],
  })
})

export const debtWrittenOff = mailTemplate<MoneyMail>('debt_written_off', 'money', (news, context) => {
  const { locale, money } = context
  return withBalance(news, context, {
    subject: m.finance_mail_written_off_subject({ amount: money(news.amount) }, { locale }),
    paragraphs: [m.finance_mail_written_off_text({ amount: money(news.amount) }, { locale })],
  })
})

function withBalance(
  { balance }: MoneyMail,
  { locale, money, link }: MailContext,
  said: MailContent,
): MailContent {
  return {
    ...said,
    facts: [[m.finance_mail_balance({}, { locale }), money(balance)]],
    action: { label: m.finance_mail_action({}, { locale }), url: link(paths.finances()) },
  }
}
