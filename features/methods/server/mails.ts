import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { methodEnd, methodName, type NamedMethod } from '#features/methods/texts.ts'
import * as m from '#texts/messages.js'
import type { EndingRow } from './queries.ts'

/** Tells a customer that a card ends soon: after its last day it is not charged any more. */
export const mailMethodEnds = (app: App, tx: Tx, { user_id, expires, ...method }: EndingRow) =>
  mailTo(app, tx, user_id, methodEnds, { method, expires })

const methodEnds = mailTemplate<{ method: NamedMethod; expires: string }>(
  'method_ends',
  'money',
  [{ method: { kind: 'card', brand: 'Visa', last4: '4242' }, expires: '2026-12-31' }],
  ({ method, expires }, { locale, link }) => {
    const said = { name: methodName(method, { locale }), month: methodEnd(expires) }
    return {
      subject: m.methods_mail_ends_subject(said, { locale }),
      paragraphs: [m.methods_mail_ends_text(said, { locale })],
      action: { label: m.methods_mail_ends_action({}, { locale }), url: link(paths.finances()) },
    }
  },
)
