import { paths } from '#features/paths.ts'
import { toMoney } from '#foundation/money.ts'
import { mailTemplate, type Examples, type MailContext } from '#foundation/server/mail/mail-template.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import type { PlannedCharge } from '#features/auto-top-ups/server/auto-top-ups.ts'
import { methodName } from '#features/methods/texts.ts'
import * as m from '#texts/messages.js'

/** Values of the mails around the end of a licence. Amounts in minor units; `refusal` is the code of the last failed try. */
export type Values = {
  host: string
  /** The public id. */
  host_id: string
  plan: string
  /** Set if the licence goes on with another plan. */
  next_plan?: string
  ends_at: Date
  charge_at: Date
  total: bigint
  balance: bigint
  currency: string
  refusal: string | null
  /** True if the time that ends was a trial. */
  is_trial: boolean
  /** The name of the account that pays, if it is not the owner. */
  payer?: string
  /** The charge that an automatic top-up will make, if the balance lacks money for it and for what is due before. */
  charged?: PlannedCharge | undefined
}

const example: Values = {
  host: 'web-1',
  host_id: 'web-1',
  plan: 'Business',
  ends_at: EXAMPLE.until,
  charge_at: EXAMPLE.at,
  total: 24_00n,
  balance: 62_40n,
  currency: 'EUR',
  refusal: null,
  is_trial: false,
}
const refused = [
  { ...example, refusal: 'insufficient_balance' },
  { ...example, refusal: 'ipv4_licensed' },
  { ...example, refusal: 'host_suspended' },
  { ...example, refusal: 'account_blocked' },
  { ...example, refusal: 'unknown' },
  { ...example, refusal: 'insufficient_balance', payer: EXAMPLE.other },
] as const

export const licenceEndsSoon = mailTemplate<Values>(
  'licence_ends_soon',
  'money',
  [example],
  (values, context) => {
    const { locale, said } = saidOf(values, context)
    return {
      own: [values.host, ...plansIn(values)],
      subject: m.sales_mail_ends_subject(said, { locale }),
      paragraphs: [m.sales_mail_ends_text(said, { locale })],
      action: toHost(values, context, m.sales_mail_renew({}, { locale })),
    }
  },
)

export const trialEndsSoon = mailTemplate<Values>(
  'trial_ends_soon',
  'money',
  [example],
  (values, context) => {
    const { locale, said } = saidOf(values, context)
    return {
      own: [values.host, ...plansIn(values)],
      subject: m.sales_mail_trial_ends_subject(said, { locale }),
      paragraphs: [m.sales_mail_trial_ends_text(said, { locale })],
      action: toHost(values, context, m.sales_mail_trial_order({}, { locale })),
    }
  },
)

const renewing: Examples<Values> = [
  example,
  { ...example, balance: 0n },
  {
    ...example,
    balance: 0n,
    charged: { method: { kind: 'card', brand: 'Visa', last4: '4242' }, at: EXAMPLE.at },
  },
  { ...example, is_trial: true },
  { ...example, next_plan: 'Starter' },
  { ...example, payer: EXAMPLE.other },
]

export const licenceRenewsSoon = mailTemplate<Values>(
  'licence_renews_soon',
  'money',
  renewing,
  (values, context) => {
    const { locale, said } = saidOf(values, context)
    // The owner must not learn if a payer's balance is short.
    const lacks = values.payer === undefined && values.balance < values.total
    const isShort = lacks && !values.charged
    return {
      own: [values.host, ...plansIn(values)],
      subject: isShort
        ? m.sales_mail_renews_short_subject(said, { locale })
        : m.sales_mail_renews_subject(said, { locale }),
      paragraphs: [
        renewsText(values, context),
        ...(isShort ? [m.sales_mail_renews_short(said, { locale })] : []),
        ...chargedText(values, context),
      ],
      action: isShort ? toBalance(context) : toHost(values, context, m.licences_mail_open({}, { locale })),
      closing: [m.sales_mail_renews_closing({}, { locale })],
    }
  },
)

export const renewalFailed = mailTemplate<Values>('renewal_failed', 'money', refused, (values, context) => {
  const { locale, said } = saidOf(values, context)
  return {
    own: [values.host, ...plansIn(values)],
    subject: m.sales_mail_failed_subject(said, { locale }),
    paragraphs: [
      m.sales_mail_failed_text(said, { locale }),
      whyRefused(values, context),
      m.sales_mail_tries({}, { locale }),
    ],
    action: remedy(values, context),
  }
})

const ended: Examples<Values> = [example, { ...example, is_trial: true }, ...refused]

export const licenceEnded = mailTemplate<Values>('licence_ended', 'money', ended, (values, context) => {
  const { locale, said } = saidOf(values, context)
  const tries =
    values.refusal === null ? [] : [whyRefused(values, context), m.sales_mail_tries({}, { locale })]
  return {
    own: [values.host, ...plansIn(values)],
    subject: values.is_trial
      ? m.sales_mail_trial_ended_subject(said, { locale })
      : m.sales_mail_ended_subject(said, { locale }),
    paragraphs: [
      values.is_trial
        ? m.sales_mail_trial_ended_text(said, { locale })
        : m.sales_mail_ended_text(said, { locale }),
      ...tries,
    ],
    action: toHost(
      values,
      context,
      values.is_trial ? m.sales_mail_trial_order({}, { locale }) : m.sales_mail_renew({}, { locale }),
    ),
  }
})

export const renewalGivenUp = mailTemplate<Values>(
  'renewal_given_up',
  'money',
  refused,
  (values, context) => {
    const { locale, said } = saidOf(values, context)
    return {
      own: [values.host, ...plansIn(values)],
      subject: m.sales_mail_given_up_subject(said, { locale }),
      paragraphs: [m.sales_mail_given_up_text(said, { locale }), whyRefused(values, context)],
      action: toHost(values, context, m.sales_mail_renew({}, { locale })),
    }
  },
)

function saidOf({ host, plan, ends_at, charge_at, currency, ...values }: Values, context: MailContext) {
  const { locale, time } = context
  const money = (amount: bigint) => context.money(toMoney(amount, currency))
  const amounts = { total: money(values.total), balance: money(values.balance) }
  return { locale, said: { host, plan, ends_at: time(ends_at), charge_at: time(charge_at), ...amounts } }
}

const plansIn = ({ plan, next_plan }: Values) => [plan, next_plan ?? '']

function renewsText(values: Values, context: MailContext): string {
  const { locale, said } = saidOf(values, context)
  const { next_plan, payer, is_trial } = values
  if (payer !== undefined)
    return m.sales_mail_renews_payer({ ...said, plan: next_plan ?? said.plan, payer }, { locale })
  if (is_trial && next_plan === undefined) return m.sales_mail_trial_renews_text(said, { locale })
  return next_plan === undefined
    ? m.sales_mail_renews_text(said, { locale })
    : m.sales_mail_renews_other({ ...said, next_plan }, { locale })
}

/** The sentence that names the method which will be charged, and when. */
function chargedText({ charged }: Values, { locale, time }: MailContext): string[] {
  if (!charged) return []
  const said = { method: methodName(charged.method, { locale }), at: time(charged.at) }
  return [m.sales_mail_renews_charged(said, { locale })]
}

function whyRefused(values: Values, context: MailContext): string {
  const { locale, said } = saidOf(values, context)
  if (values.payer !== undefined && isOfPayer(values))
    return m.sales_mail_why_payer({ ...said, payer: values.payer }, { locale })
  if (values.refusal === 'insufficient_balance') return m.sales_mail_why_balance(said, { locale })
  if (values.refusal === 'ipv4_licensed' || values.refusal === 'ipv6_licensed')
    return m.sales_mail_why_address({}, { locale })
  if (values.refusal === 'host_suspended') return m.sales_mail_why_suspended({}, { locale })
  if (values.refusal === 'account_blocked') return m.sales_mail_why_blocked({}, { locale })
  return m.sales_mail_why_other({}, { locale })
}

const isOfPayer = ({ refusal }: Values): boolean =>
  refusal === 'insufficient_balance' || refusal === 'payment_limit_reached'

const remedy = (values: Values, context: MailContext) =>
  values.refusal === 'insufficient_balance' && values.payer === undefined
    ? toBalance(context)
    : toHost(values, context, m.licences_mail_open({}, context))

const toBalance = ({ link, locale }: MailContext) => ({
  label: m.licences_mail_top_up({}, { locale }),
  url: link(paths.finances()),
})

const toHost = ({ host_id }: Values, { link }: MailContext, label: string) => ({
  label,
  url: link(paths.host(host_id)),
})

/** The mail to a payer whose balance or monthly limit did not suffice for a renewal, with the payer's amounts. */
export const payerCannotPay = mailTemplate<Values & { owner: string }>(
  'payer_cannot_pay',
  'money',
  [
    { ...example, owner: EXAMPLE.name },
    { ...example, owner: EXAMPLE.name, refusal: 'payment_limit_reached' },
  ],
  (values, context) => {
    const { locale, said } = saidOf(values, context)
    const isLimit = values.refusal === 'payment_limit_reached'
    return {
      // The owner has named the server, and the payer reads this.
      own: plansIn(values),
      subject: m.sales_mail_payer_subject(said, { locale }),
      paragraphs: [
        m.sales_mail_payer_text({ ...said, owner: values.owner }, { locale }),
        isLimit ? m.sales_mail_payer_limit(said, { locale }) : m.sales_mail_why_balance(said, { locale }),
        m.sales_mail_tries({}, { locale }),
      ],
      action: isLimit
        ? { label: m.sales_mail_payer_open({}, { locale }), url: context.link(paths.paidFor()) }
        : toBalance(context),
    }
  },
)
