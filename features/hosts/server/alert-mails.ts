import { paths } from '#features/paths.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate, type MailContent, type MailContext } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import * as m from '#texts/messages.js'
import type { PendingRow } from './alert-notice-queries.ts'

/** Alerts of one rule on one server, of which one mail tells. */
type Notice = readonly Told[]
type Told = Pick<
  PendingRow,
  'kind' | 'host_id' | 'host_name' | 'since' | 'closed_at' | 'peak' | 'mount' | 'value'
>

/** Queues a mail about alerts of one server. */
export async function mailNotice(app: App, tx: Tx, user_id: string, alerts: Notice): Promise<void> {
  const [alert] = alerts
  if (alerts.length > 1) await mailTo(app, tx, user_id, alertRepeated, { alerts })
  else if (must(alert).closed_at) await mailTo(app, tx, user_id, alertClosed, must(alert))
  else await mailTo(app, tx, user_id, alertOpened, must(alert))
}

/** Queues one mail about the alerts of many servers. */
export const mailTogether = (app: App, tx: Tx, user_id: string, notices: readonly Notice[]) =>
  mailTo(app, tx, user_id, alertsTogether, { alerts: notices.map((alerts) => must(alerts.at(-1))) })

const silent: Told = {
  kind: 'offline',
  host_id: 'web-1',
  host_name: 'web-1',
  since: EXAMPLE.at,
  closed_at: null,
  peak: null,
  mount: null,
  value: 5,
}
const full: Told = { ...silent, kind: 'disk', peak: 94.2, mount: '/var', value: 90 }
const over = (alert: Told): Told => ({ ...alert, closed_at: new Date(EXAMPLE.at.getTime() + 1_500_000) })

type Texts = Pick<MailContext, 'locale' | 'time' | 'link'>

const valuesOf = ({ host_name: host, since, closed_at, peak, value }: Told, { locale, time }: Texts) => ({
  host,
  count: value,
  since: time(since),
  until: closed_at ? time(closed_at) : '',
  limit: percentText(value, locale),
  percent: percentText(peak ?? value, locale),
})

/** The mount of the fullest disk, where the agent told it. */
const mountOf = ({ mount }: Told, locale: MailContext['locale']): [string, string][] =>
  mount === null ? [] : [[m.hosts_mail_mount({}, { locale }), mount]]

/** Rounded down: a disk that is not at the limit does not look as if it were. */
const percentText = (percent: number, locale: MailContext['locale']): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent' }).format(Math.floor(percent))

const toServer = ({ host_id }: Told, { locale, link }: Texts): Partial<MailContent> => ({
  action: { label: m.hosts_mail_open({}, { locale }), url: link(paths.host(host_id)) },
  closing: [m.hosts_mail_alert_values({}, { locale })],
})

const alertOpened = mailTemplate<Told>('alert_opened', 'replies', [silent, full], (alert, context) => {
  const { locale } = context
  const values = valuesOf(alert, context)
  return alert.kind === 'offline'
    ? {
        subject: m.hosts_mail_silent_subject(values, { locale }),
        paragraphs: [m.hosts_mail_silent(values, { locale }), m.hosts_mail_silent_why({}, { locale })],
        ...toServer(alert, context),
      }
    : {
        subject: m.hosts_mail_full_subject(values, { locale }),
        paragraphs: [m.hosts_mail_full(values, { locale }), m.hosts_mail_full_why({}, { locale })],
        facts: mountOf(alert, locale),
        ...toServer(alert, context),
      }
})

const alertClosed = mailTemplate<Told>(
  'alert_closed',
  'replies',
  [over(silent), over(full)],
  (alert, context) => {
    const { locale } = context
    const values = valuesOf(alert, context)
    return alert.kind === 'offline'
      ? {
          subject: m.hosts_mail_heard_subject(values, { locale }),
          paragraphs: [m.hosts_mail_heard(values, { locale })],
          ...toServer(alert, context),
        }
      : {
          subject: m.hosts_mail_room_subject(values, { locale }),
          paragraphs: [m.hosts_mail_room(values, { locale })],
          facts: mountOf(alert, locale),
          ...toServer(alert, context),
        }
  },
)

type Several = { alerts: readonly Told[] }

/** The most lines of a mail. */
const MOST = 50

const rest = (all: number, locale: MailContext['locale']): readonly string[] =>
  all > MOST ? [m.hosts_mail_more({ count: all - MOST }, { locale })] : []

const alertRepeated = mailTemplate<Several>(
  'alert_repeated',
  'replies',
  [{ alerts: [over(silent), silent] }, { alerts: [...Array.from({ length: MOST }, () => over(full)), full] }],
  ({ alerts }, context) => {
    const { locale } = context
    const alert = must(alerts.at(-1))
    const values = { host: alert.host_name, count: alerts.length }
    const facts = alerts.slice(0, MOST).map((one): [string, string] => {
      const { since, until } = valuesOf(one, context)
      const end = one.closed_at ? m.hosts_mail_to({ until }, { locale }) : m.hosts_mail_still({}, { locale })
      return [m.hosts_mail_from({ since }, { locale }), end]
    })
    const { action, closing = [] } = toServer(alert, context)
    return {
      subject: m.hosts_mail_again_subject(values, { locale }),
      paragraphs: [
        alert.kind === 'offline'
          ? m.hosts_mail_silent_again(values, { locale })
          : m.hosts_mail_full_again(values, { locale }),
      ],
      facts,
      ...(action && { action }),
      closing: [...rest(alerts.length, locale), ...closing],
    }
  },
)

const alertsTogether = mailTemplate<Several>(
  'alerts_together',
  'replies',
  [{ alerts: [silent, full, over(silent), over(full)] }],
  ({ alerts }, context) => {
    const { locale, link } = context
    return {
      subject: m.hosts_mail_together_subject({ count: alerts.length }, { locale }),
      paragraphs: [m.hosts_mail_together({}, { locale })],
      facts: alerts.slice(0, MOST).map((alert) => [alert.host_name, stateOf(alert, context)]),
      action: { label: m.hosts_mail_servers({}, { locale }), url: link(paths.hosts()) },
      closing: [...rest(alerts.length, locale), m.hosts_mail_alert_values({}, { locale })],
    }
  },
)

function stateOf(alert: Told, context: Texts): string {
  const values = valuesOf(alert, context)
  const { locale } = context
  if (alert.kind === 'offline')
    return alert.closed_at
      ? m.hosts_mail_is_heard(values, { locale })
      : m.hosts_mail_is_silent(values, { locale })
  return alert.closed_at ? m.hosts_mail_is_free(values, { locale }) : m.hosts_mail_is_full(values, { locale })
}
