import { paths } from '#features/paths.ts'
import { mailTemplate, type MailContent, type MailContext } from '#foundation/server/mail/mail-template.ts'
import type { Money } from '#foundation/money.ts'
import * as m from '#texts/messages.js'

/** The values of the mails about an announced bank transfer. */
export type Values = {
  id: string
  amount: Money
  reference: string
  account: string
  created_at: Date
  /** The reason that staff gave for rejecting the transfer. */
  reason?: string
}

export const transferAnnounced = mailTemplate<Values>('transfer_announced', 'money', (values, context) => {
  const { locale, said } = saidOf(values, context)
  return withDetails(values, context, {
    subject: m.finance_mail_transfer_subject(said, { locale }),
    paragraphs: [m.finance_mail_transfer_text(said, { locale })],
  })
})

export const transferMissing = mailTemplate<Values>('transfer_missing', 'money', (values, context) => {
  const { locale, said } = saidOf(values, context)
  return withDetails(values, context, {
    subject: m.finance_mail_transfer_missing_subject(said, { locale }),
    paragraphs: [m.finance_mail_transfer_missing_text(said, { locale })],
  })
})

export const transferExpired = mailTemplate<Values>('transfer_expired', 'money', (values, context) => {
  const { locale, said } = saidOf(values, context)
  return {
    subject: m.finance_mail_transfer_expired_subject(said, { locale }),
    paragraphs: [m.finance_mail_transfer_expired_text(said, { locale })],
    action: { label: m.finance_mail_action({}, { locale }), url: context.link(paths.finances()) },
  }
})

export const transferRejected = mailTemplate<Values>('transfer_rejected', 'money', (values, context) => {
  const { locale, said } = saidOf(values, context)
  return {
    subject: m.finance_mail_transfer_expired_subject(said, { locale }),
    paragraphs: [m.finance_mail_transfer_rejected_text(said, { locale })],
    own: [values.reason ?? ''],
    facts: [[m.finance_mail_transfer_rejected_reason({}, { locale }), values.reason ?? '']],
    action: { label: m.finance_mail_action({}, { locale }), url: context.link(paths.finances()) },
  }
})

function saidOf({ amount, reference, created_at }: Values, { locale, money, time }: MailContext) {
  return { locale, said: { amount: money(amount), reference, date: time(created_at) } }
}

function withDetails(
  { id, amount, reference, account }: Values,
  { locale, money, link }: MailContext,
  said: MailContent,
): MailContent {
  return {
    ...said,
    own: [account],
    facts: [
      [m.finance_amount({}, { locale }), money(amount)],
      [m.finance_bank_account({}, { locale }), account],
      [m.finance_bank_reference({}, { locale }), reference],
    ],
    action: {
      label: m.finance_mail_transfer_action({}, { locale }),
      url: link(paths.finances(), { top_up: id }),
    },
  }
}
