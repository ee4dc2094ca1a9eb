import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import {
  mailTemplate,
  type MailContent,
  type MailContext,
  type MailTemplate,
} from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import type { UserRow } from '#foundation/server/session/session.ts'
import { addressesOf } from '#features/profile/server/profile.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

/** Mails all proven addresses of an account: a thief may have made theirs the primary one. */
export async function mailToAll<Values>(
  app: App,
  tx: Tx,
  { id: user_id, locale }: Pick<UserRow, 'id' | 'locale'>,
  template: MailTemplate<Values>,
  values: Values,
): Promise<void> {
  for (const { email: to, verified } of await addressesOf(tx, user_id))
    if (verified) await enqueueMail(app, tx, { user_id, to, locale, template, values })
}

/** `message` is the message of staff to the customer; it may be empty. */
type Access = { message: string; isUnlocked: boolean }

const access: Access = { message: '', isUnlocked: false }

export const accountBlocked = mailTemplate<Access>(
  'account_blocked',
  'security',
  [access],
  ({ message }, context) => {
    const { said, options } = saidIn(context)
    return {
      subject: m.customers_mail_blocked_subject(said, options),
      paragraphs: [m.customers_mail_blocked_text(said, options), m.customers_mail_blocked_still({}, options)],
      ...quoted(message, context),
      action: { label: m.customers_mail_write({}, options), url: context.link(paths.tickets()) },
    }
  },
)

export const accountLocked = mailTemplate<Access>(
  'account_locked',
  'security',
  [access],
  ({ message }, context) => {
    const { said, options } = saidIn(context)
    const { supportEmail } = context.operator
    return {
      subject: m.customers_mail_locked_subject(said, options),
      paragraphs: [m.customers_mail_locked_text(said, options)],
      ...quoted(message, context),
      closing: [
        supportEmail
          ? m.customers_mail_locked_reach({ email: supportEmail }, options)
          : m.customers_mail_locked_ask(said, options),
      ],
    }
  },
)

export const accountUnblocked = mailTemplate<Access>(
  'account_unblocked',
  'security',
  [access, { ...access, isUnlocked: true }],
  (values, context) => {
    const { said, options } = saidIn(context)
    return {
      subject: m.customers_mail_open_subject(said, options),
      paragraphs: values.isUnlocked
        ? [m.customers_mail_unlocked_text(said, options)]
        : [m.customers_mail_open_text(said, options)],
      ...quoted(values.message, context),
      ...(values.isUnlocked
        ? {}
        : { action: { label: m.customers_mail_open_action({}, options), url: context.link(paths.home()) } }),
    }
  },
)

export const signedOut = mailTemplate<{ at: Date }>(
  'signed_out',
  'security',
  [EXAMPLE],
  ({ at }, context) => {
    const { said, options } = saidIn(context)
    return {
      subject: m.customers_mail_signed_out_subject(said, options),
      paragraphs: [m.customers_mail_signed_out_text(said, options)],
      action: { label: m.customers_mail_sign_in({}, options), url: context.link(paths.signIn()) },
      facts: [[m.mail_time({}, options), context.time(at)]],
    }
  },
)

export const addressConfirmed = mailTemplate<{ email: string }>(
  'address_confirmed',
  'security',
  [EXAMPLE],
  ({ email }, context) => {
    const { said, options } = saidIn(context)
    return {
      subject: m.customers_mail_confirmed_subject(said, options),
      paragraphs: [m.customers_mail_confirmed_text({ ...said, email }, options)],
      action: { label: m.customers_mail_sign_in({}, options), url: context.link(paths.signIn()) },
      closing: [m.customers_mail_not_asked(said, options)],
    }
  },
)

/** `key` is the key of the link that stops the reset. */
type Reset = { key: string; due_at: Date }

/** A merge says otherwise what its link does, as using a second factor does not stop it. */
export const resetTemplate = (kind: string, subject: Text, text: Text, isMerge = false) =>
  mailTemplate<Reset>(
    kind,
    'security',
    [{ ...EXAMPLE, due_at: EXAMPLE.until }],
    ({ key, due_at }, context) => {
      const { said, options } = saidIn(context)
      return {
        subject: subject({ ...said, time: '' }, options),
        paragraphs: [
          text({ ...said, time: context.time(due_at) }, options),
          m.customers_mail_reset_stop({}, options),
        ],
        action: {
          label: (isMerge ? m.customers_mail_merge_action : m.customers_mail_reset_action)({}, options),
          url: context.link(paths.signIn(), {
            view: 'factor-reset',
            key,
            ...(isMerge ? { of: 'merge' } : {}),
          }),
        },
        closing: [(isMerge ? m.customers_mail_merge_yours : m.customers_mail_reset_yours)({}, options)],
      }
    },
  )

type Text = (inputs: { operator: string; time: string }, options: { locale: MailContext['locale'] }) => string

export const factorResetRequested = resetTemplate(
  'factor_reset_requested',
  (said, options) => m.customers_mail_reset_subject(said, options),
  m.customers_mail_reset_text,
)

export const factorResetSoon = resetTemplate(
  'factor_reset_soon',
  (said, options) => m.customers_mail_reset_soon_subject(said, options),
  m.customers_mail_reset_soon_text,
)

export const accountMoveRequested = resetTemplate(
  'account_move_requested',
  (said, options) => m.customers_mail_move_subject(said, options),
  m.customers_mail_move_text,
)

export const accountMoveSoon = resetTemplate(
  'account_move_soon',
  (said, options) => m.customers_mail_move_soon_subject(said, options),
  m.customers_mail_move_soon_text,
)

export const accountMoved = mailTemplate('account_moved', 'security', [{}], (_: object, context) => {
  const { said, options } = saidIn(context)
  return {
    subject: m.customers_mail_moved_subject(said, options),
    paragraphs: [m.customers_mail_moved_text(said, options)],
    closing: [m.customers_mail_not_asked(said, options)],
  }
})

export const factorResetDone = mailTemplate('factor_reset_done', 'security', [{}], (_: object, context) => {
  const { said, options } = saidIn(context)
  return {
    subject: m.customers_mail_reset_done_subject(said, options),
    paragraphs: [m.customers_mail_reset_done_text(said, options)],
    closing: [m.customers_mail_not_asked(said, options)],
  }
})

export const saidIn = ({ operator, locale }: MailContext) =>
  ({ said: { operator: operator.name }, options: { locale } }) as const

const quoted = (message: string, { operator, locale }: MailContext): Pick<MailContent, 'facts' | 'own'> =>
  message
    ? {
        own: [message],
        facts: [[m.customers_mail_message({ operator: operator.name }, { locale }), message]],
      }
    : {}
