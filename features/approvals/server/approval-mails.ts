import { actText } from '#features/approvals/texts.ts'
import { paths } from '#features/paths.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate, type Examples, type MailContext } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type Facts = {
  /** The name of the action, as in the contract. */
  act: string
  amount: Money | null
  /** The customer's name; null if the action concerns no customer. */
  customer: string | null
  reason: string
}

type Waiting = Facts & { by: string; expires_at: Date }

const example = {
  act: 'finance.refund',
  amount: toMoney(50_00n, 'EUR'),
  customer: EXAMPLE.name,
  reason: 'Ordered twice',
  note: null,
  by: EXAMPLE.other,
  expires_at: EXAMPLE.until,
  at: EXAMPLE.at,
} as const

export const approvalWaiting = mailTemplate<Waiting>(
  'approval_waiting',
  'rest',
  [example],
  (asked, context) => {
    const { locale, time } = context
    return {
      subject: m.approvals_mail_waiting_subject({ what: textOf(asked, context) }, { locale }),
      paragraphs: [m.approvals_mail_waiting({ name: asked.by }, { locale })],
      facts: [...factsOf(asked, context), [m.approvals_mail_until({}, { locale }), time(asked.expires_at)]],
      action: actionOf(context),
    }
  },
)

type Decided = Facts & {
  status: 'approved' | 'failed' | 'refused' | 'expired'
  /** The name of the member who decided; null if the request expired. */
  by: string | null
  note: string | null
}

const decisions: Examples<Decided> = [
  { ...example, status: 'approved' },
  { ...example, status: 'failed' },
  { ...example, status: 'refused' },
  { ...example, status: 'expired' },
]

export const approvalDecided = mailTemplate<Decided>(
  'approval_decided',
  'rest',
  decisions,
  (asked, context) => {
    const { locale } = context
    const { status, by, note } = asked
    return {
      subject: subjects[status]({ what: textOf(asked, context) }, { locale }),
      paragraphs: [
        status === 'expired'
          ? m.approvals_mail_expired({}, { locale })
          : texts[status]({ name: by ?? '' }, { locale }),
      ],
      facts: [
        ...factsOf(asked, context),
        ...(note === null ? [] : [[m.approvals_mail_note({}, { locale }), note] as const]),
      ],
      action: actionOf(context),
    }
  },
)

const subjects = {
  approved: m.approvals_mail_approved_subject,
  failed: m.approvals_mail_failed_subject,
  refused: m.approvals_mail_refused_subject,
  expired: m.approvals_mail_expired_subject,
} as const

const texts = {
  approved: m.approvals_mail_approved,
  failed: m.approvals_mail_failed,
  refused: m.approvals_mail_refused,
} as const

/** `by` is the name of the member; null if the operator acted from the command line. */
type Alone = Facts & { by: string | null; at: Date }

const alone: Examples<Alone> = [example, { ...example, by: null }, { ...example, amount: null }]

export const moneyAlone = mailTemplate<Alone>('money_alone', 'security', alone, (done, context) => {
  const { locale, time } = context
  const { by, at } = done
  return {
    subject: m.approvals_mail_alone_subject({ what: textOf(done, context) }, { locale }),
    paragraphs: [
      by === null
        ? m.approvals_mail_alone_cli({}, { locale })
        : done.amount === null
          ? m.approvals_mail_alone_always({ name: by }, { locale })
          : m.approvals_mail_alone({ name: by }, { locale }),
    ],
    facts: [...factsOf(done, context), [m.mail_time({}, { locale }), time(at)]],
  }
})

const factsOf = ({ customer, reason }: Facts, { locale }: MailContext) =>
  [
    ...(customer === null ? [] : [[m.approvals_mail_customer({}, { locale }), customer] as const]),
    ...(reason === '' ? [] : [[m.approvals_mail_reason({}, { locale }), reason] as const]),
  ] as const

const actionOf = ({ locale, link }: MailContext) => ({
  label: m.approvals_mail_action({}, { locale }),
  url: link(paths.approvals()),
})

const textOf = ({ act, amount }: Facts, { locale, money }: MailContext): string =>
  actText(act, amount && money(amount), locale)
