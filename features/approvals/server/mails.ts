import { actText } from '#features/approvals/texts.ts'
import { paths } from '#features/paths.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import { decidersOf } from '#foundation/server/approvals/allowances.ts'
import { actByName } from '#foundation/server/approvals/approvable-act.ts'
import type { doneAlone } from '#foundation/server/approvals/events.ts'
import type { Approval } from '#foundation/server/approvals/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import { mailTemplate, type MailContext } from '#foundation/server/mail/mail-template.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as m from '#texts/messages.js'

/** Mails every member of staff who may decide about the action. */
export async function mailWaiting(app: App, tx: Tx, approval: Approval): Promise<void> {
  const { act, customer_id, proposed_by } = approval
  const names = await displayNames(app, tx, [customer_id, proposed_by])
  const values = {
    ...valuesOf(app, approval, names),
    by: names.of(proposed_by).name,
    expires_at: approval.expires_at,
  }
  for (const { id } of await decidersOf(app, tx, actByName(app, act), approval))
    await mailTo(app, tx, id, approvalWaiting, values)
}

/** Mails the outcome to the member who asked. */
export async function mailDecided(app: App, tx: Tx, approval: Approval): Promise<void> {
  const { status, note, customer_id, proposed_by, decided_by } = approval
  if (status === 'proposed' || status === 'withdrawn') return
  // An approval expires before its time only if the member who asked lost the permission. A member who leaves needs no mail about
  // customers.
  if (status === 'expired' && approval.expires_at > new Date()) return
  const names = await displayNames(app, tx, [customer_id, decided_by])
  const by = decided_by === null ? null : names.of(decided_by).name
  const values = { ...valuesOf(app, approval, names), status, note, by }
  await mailTo(app, tx, proposed_by, approvalDecided, values)
}

/** Tells all owners by mail that somebody acted without a second person. */
export async function mailAlone(
  app: App,
  tx: Tx,
  done: NonNullable<(typeof doneAlone)['payload']>,
): Promise<void> {
  const names = await displayNames(app, tx, [done.customer_id, done.by])
  const by = done.by === null ? null : names.of(done.by).name
  const values = { ...valuesOf(app, done, names), by, at: new Date() }
  for (const { id, staff_roles } of await staffMembers(tx))
    if (staff_roles.includes('owner')) await mailTo(app, tx, id, moneyAlone, values)
}

const valuesOf = (
  { config }: App,
  { act, amount, reason, customer_id }: Pick<Approval, 'act' | 'amount' | 'reason' | 'customer_id'>,
  names: Awaited<ReturnType<typeof displayNames>>,
) => ({
  act,
  amount: amount === null ? null : toMoney(amount, config.currency),
  reason,
  customer: customer_id === null ? null : names.of(customer_id).name,
})

type Facts = {
  /** The name of the action, as in the contract. */
  act: string
  amount: Money | null
  /** The customer's name; null if the action concerns no customer. */
  customer: string | null
  reason: string
}

type Waiting = Facts & { by: string; expires_at: Date }

const approvalWaiting = mailTemplate<Waiting>('approval_waiting', 'rest', (asked, context) => {
  const { locale, time } = context
  return {
    subject: m.approvals_mail_waiting_subject({ what: textOf(asked, context) }, { locale }),
    paragraphs: [m.approvals_mail_waiting({ name: asked.by }, { locale })],
    facts: [...factsOf(asked, context), [m.approvals_mail_until({}, { locale }), time(asked.expires_at)]],
    action: actionOf(context),
  }
})

type Decided = Facts & {
  status: 'approved' | 'failed' | 'refused' | 'expired'
  /** The name of the member who decided; null if the request expired. */
  by: string | null
  note: string | null
}

const approvalDecided = mailTemplate<Decided>('approval_decided', 'rest', (asked, context) => {
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
})

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

const moneyAlone = mailTemplate<Alone>('money_alone', 'security', (done, context) => {
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
