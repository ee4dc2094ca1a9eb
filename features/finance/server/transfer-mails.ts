import { paths } from '#features/paths.ts'
import {
  mailTemplate,
  type MailContent,
  type MailContext,
  type MailLocale,
  type MailTemplate,
} from '#foundation/server/mail/mail-template.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
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

const example: Values = {
  id: 'example',
  amount: toMoney(50_00n, 'EUR'),
  reference: 'HD-7K4M-2Q',
  account: 'Example GmbH, DE89 3704 0044 0532 0130 00',
  created_at: EXAMPLE.at,
  reason: 'No payment has come.',
}

export const transferAnnounced = detailsTemplate('transfer_announced', (said, at) => ({
  subject: m.finance_mail_transfer_subject(said, at),
  paragraphs: [m.finance_mail_transfer_text(said, at)],
}))

export const transferMissing = detailsTemplate('transfer_missing', (said, at) => ({
  subject: m.finance_mail_transfer_missing_subject(said, at),
  paragraphs: [m.finance_mail_transfer_missing_text(said, at)],
}))

export const transferExpired = mailTemplate<Values>(
  'transfer_expired',
  'money',
  [example],
  (values, context) => {
    const { locale, said } = saidOf(values, context)
    return {
      subject: m.finance_mail_transfer_expired_subject(said, { locale }),
      paragraphs: [m.finance_mail_transfer_expired_text(said, { locale })],
      action: { label: m.finance_mail_action({}, { locale }), url: context.link(paths.finances()) },
    }
  },
)

export const transferRejected = mailTemplate<Values>(
  'transfer_rejected',
  'money',
  [example],
  (values, context) => {
    const { locale, said } = saidOf(values, context)
    return {
      subject: m.finance_mail_transfer_expired_subject(said, { locale }),
      paragraphs: [m.finance_mail_transfer_rejected_text(said, { locale })],
      own: [values.reason ?? ''],
      facts: [[m.finance_mail_transfer_rejected_reason({}, { locale }), values.reason ?? '']],
      action: { label: m.finance_mail_action({}, { locale }), url: context.link(paths.finances()) },
    }
  },
)

function saidOf({ amount, reference, created_at }: Values, { locale, money, time }: MailContext) {
  return { locale, said: { amount: money(amount), reference, date: time(created_at) } }
}

type Written = (
  said: ReturnType<typeof saidOf>['said'],
  at: { locale: MailLocale },
) => Pick<MailContent, 'subject' | 'paragraphs'>

/** Defines a mail with all that a person needs for the transfer. */
function detailsTemplate(kind: string, write: Written): MailTemplate<Values> {
  return mailTemplate(kind, 'money', [example], (values, context) => {
    const { id, amount, reference, account } = values
    const { locale, money, link } = context
    return {
      ...write(saidOf(values, context).said, { locale }),
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
  })
}
