import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { mayDo } from '#foundation/roles.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import { DISABLE_AFTER_h, WARN_AFTER_h, type DisabledReason } from '#features/webhooks/rules.ts'
import { webhooksPermission } from '#features/webhooks/staff-contract.ts'
import * as m from '#texts/messages.js'
import type { EndpointRow } from './queries.ts'
import { urlHost } from './url-host.ts'

type About = Pick<EndpointRow, 'id' | 'user_id' | 'url'>

/** Tells the owner that nothing has succeeded for a day. */
export async function mailFailing(app: App, tx: Tx, endpoint: About): Promise<void> {
  for (const reader of await readersOf(tx, endpoint))
    await mailTo(app, tx, reader, webhookFailing, valuesOf(endpoint))
}

/** Tells the owner that the product has disabled an endpoint, and why. */
export async function mailDisabled(app: App, tx: Tx, endpoint: About, why: DisabledReason): Promise<void> {
  for (const reader of await readersOf(tx, endpoint))
    await mailTo(app, tx, reader, webhookDisabled, { ...valuesOf(endpoint), why })
}

/** The owner of an endpoint; those who manage the operator's. */
async function readersOf(tx: Tx, { user_id }: About): Promise<string[]> {
  if (user_id !== null) return [user_id]
  const members = await staffMembers(tx)
  return members.filter(({ staff_roles }) => mayDo(staff_roles, webhooksPermission)).map(({ id }) => id)
}

type Values = { id: string; host: string; isOperator: boolean }

const valuesOf = ({ id, user_id, url }: About): Values => ({
  id,
  host: urlHost(url),
  isOperator: user_id === null,
})

const example: Values = { id: 'example', host: 'hooks.example.com', isOperator: false }

const pathOf = ({ id, isOperator }: Values) => (isOperator ? paths.operatorWebhook(id) : paths.webhook(id))

const webhookFailing = mailTemplate<Values>(
  'webhook_failing',
  'rest',
  [example, { ...example, isOperator: true }],
  (values, { locale, link }) => ({
    subject: m.webhooks_mail_failing_subject({ host: values.host }, { locale }),
    paragraphs: [
      m.webhooks_mail_failing({ host: values.host, hours: WARN_AFTER_h }, { locale }),
      m.webhooks_mail_failing_then({ days: DISABLE_AFTER_h / 24 }, { locale }),
    ],
    action: { label: m.webhooks_mail_action({}, { locale }), url: link(pathOf(values)) },
  }),
)

const webhookDisabled = mailTemplate<Values & { why: DisabledReason }>(
  'webhook_disabled',
  'rest',
  [
    { ...example, why: 'failing' },
    { ...example, why: 'gone' },
  ],
  (values, { locale, link }) => ({
    subject: m.webhooks_mail_disabled_subject({ host: values.host }, { locale }),
    paragraphs: [
      values.why === 'gone'
        ? m.webhooks_mail_gone({ host: values.host }, { locale })
        : m.webhooks_mail_disabled({ host: values.host, days: DISABLE_AFTER_h / 24 }, { locale }),
      m.webhooks_mail_enable({}, { locale }),
    ],
    action: { label: m.webhooks_mail_action({}, { locale }), url: link(pathOf(values)) },
  }),
)
