import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate, type MailContext, type MailLocale } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

type To = { user_id: string; email: string; locale: MailLocale }
type From = { ip: string; user_agent: string }

/** Mails the link that sets another password. */
export const sendReset = (app: App, tx: Tx, { user_id, email, locale }: To, key: string) =>
  enqueueMail(app, tx, { user_id, to: email, locale, template: passwordReset, values: { key } })

/**
 * Tells the owner of an address that it has no account here: somebody asked for a reset, and the owner may have forgotten which
 * address they signed up with.
 */
export const sendUnknownAccount = (app: App, tx: Tx, to: { email: string; locale: MailLocale }) =>
  enqueueMail(app, tx, {
    user_id: null,
    to: to.email,
    locale: to.locale,
    template: unknownAccount,
    values: { email: to.email },
  })

/** Tells the owner of an account that a sign-up used its address. The page does not reveal that the account exists; only this mail does. */
export const sendAccountExists = (app: App, tx: Tx, to: { email: string; locale: MailLocale }) =>
  enqueueMail(app, tx, {
    user_id: null,
    to: to.email,
    locale: to.locale,
    template: accountExists,
    values: { email: to.email },
  })

/** Tells the owner that the password was set by a link from a mail. */
export const sendWasReset = (app: App, tx: Tx, { user_id, email, locale }: To, from: From) =>
  enqueueMail(app, tx, { user_id, to: email, locale, template: passwordWasReset, values: from })

/** Tells the owner of a sign-in by a browser and network that were not seen together within a year. */
export const sendNewDevice = (app: App, tx: Tx, { user_id, email, locale }: To, from: From) =>
  enqueueMail(app, tx, { user_id, to: email, locale, template: newDevice, values: from })

const passwordReset = mailTemplate(
  'password_reset',
  'security',
  [EXAMPLE],
  ({ key }: { key: string }, { locale, operator, links }) => ({
    subject: m.auth_mail_reset_subject({ operator: operator.name }, { locale }),
    paragraphs: [m.auth_mail_reset_text({ operator: operator.name }, { locale })],
    action: {
      label: m.auth_mail_reset_action({}, { locale }),
      url: links.reset(key),
    },
    closing: [m.auth_mail_reset_closing({}, { locale })],
  }),
)

const unknownAccount = mailTemplate(
  'unknown_account',
  'security',
  [EXAMPLE],
  ({ email }: { email: string }, { locale, operator, links }) => ({
    subject: m.auth_mail_unknown_subject({ operator: operator.name }, { locale }),
    paragraphs: [m.auth_mail_unknown_text({ operator: operator.name, email }, { locale })],
    action: {
      label: m.auth_mail_unknown_action({}, { locale }),
      url: links.signup(),
    },
    closing: [m.auth_mail_ignore({}, { locale })],
  }),
)

const accountExists = mailTemplate(
  'account_exists',
  'security',
  [EXAMPLE],
  ({ email }: { email: string }, { locale, operator, link }) => ({
    subject: m.auth_mail_exists_subject({ operator: operator.name }, { locale }),
    paragraphs: [m.auth_mail_exists_text({ operator: operator.name, email }, { locale })],
    action: {
      label: m.auth_mail_exists_action({}, { locale }),
      url: link(paths.signIn(), { view: 'forgotten' }),
    },
    closing: [m.auth_mail_ignore({}, { locale })],
  }),
)

const passwordWasReset = mailTemplate('password_was_reset', 'security', [EXAMPLE], (from: From, context) => ({
  subject: m.auth_mail_was_reset_subject({ operator: context.operator.name }, { locale: context.locale }),
  paragraphs: [m.auth_mail_was_reset_text({ operator: context.operator.name }, { locale: context.locale })],
  own: [from.ip],
  facts: factsOf(from, context),
  closing: [m.mail_not_you({}, { locale: context.locale })],
}))

const newDevice = mailTemplate('new_device', 'security', [EXAMPLE], (from: From, context) => ({
  subject: m.auth_mail_new_device_subject({ operator: context.operator.name }, { locale: context.locale }),
  paragraphs: [m.auth_mail_new_device_text({ operator: context.operator.name }, { locale: context.locale })],
  own: [from.ip],
  facts: factsOf(from, context),
  closing: [m.mail_not_you({}, { locale: context.locale })],
}))

const factsOf = ({ ip, user_agent }: From, { locale, time }: MailContext): [string, string][] => [
  [m.mail_time({}, { locale }), time(new Date())],
  [m.mail_ip({}, { locale }), ip],
  [m.mail_device({}, { locale }), user_agent || '–'],
]
