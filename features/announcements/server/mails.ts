import { paths } from '#features/paths.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import type { Kind } from '#features/announcements/rules.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

type Values = {
  kind: Kind
  revision: number
  /** The title and the text in the language of the reader. */
  title: string
  text: string
  starts_at: Date | null
  ends_at: Date | null
  /** The key by which the reader stops news; undefined for service letters, which nobody can stop. */
  news_key: string | undefined
}

const example = (kind: Kind): Values => ({
  kind,
  revision: 1,
  title: 'Update of all agents',
  text: 'We update all agents.',
  starts_at: EXAMPLE.at,
  ends_at: EXAMPLE.until,
  news_key: undefined,
})

export const announcementMail = mailTemplate<Values>(
  'announcement',
  'rest',
  [example('maintenance'), example('incident'), example('news')],
  (values, { locale, link, callAt, time }) => {
    const { kind, revision, title, text, starts_at, ends_at, news_key: key } = values
    const subject = subjects[kind]({ title }, { locale })
    return {
      own: [title, text],
      subject: revision > 1 ? m.announcements_mail_update({ subject }, { locale }) : subject,
      paragraphs: text.split(/\n\s*\n/u).map((paragraph) => paragraph.trim()),
      facts: [
        ...(starts_at ? [[m.announcements_mail_begins({}, { locale }), time(starts_at)] as const] : []),
        ...(ends_at ? [[m.announcements_mail_ends({}, { locale }), time(ends_at)] as const] : []),
      ],
      action: { label: m.announcements_mail_action({}, { locale }), url: link(paths.hosts()) },
      ...(key !== undefined && {
        unsubscribe: { page: link(paths.stopNews(), { key }), call: callAt(`/api/news/stop/?key=${key}`) },
      }),
    }
  },
)

type Ended = {
  how: 'resolved' | 'ended' | 'called_off'
  /** The title in the language of the reader. */
  title: string
  ended_at: Date
}

const over = (how: Ended['how']): Ended => ({ how, title: 'Update of all agents', ended_at: EXAMPLE.at })

/** Says that an incident or maintenance is over to those who were mailed that it begins. */
export const announcementEnded = mailTemplate<Ended>(
  'announcement_ended',
  'rest',
  [over('resolved'), over('ended'), over('called_off')],
  ({ how, title, ended_at }, { locale, link, time }) => ({
    own: [title],
    subject: ends[how].subject({ title }, { locale }),
    paragraphs: [ends[how].text({}, { locale })],
    facts: [[m.announcements_mail_over({}, { locale }), time(ended_at)] as const],
    action: { label: m.announcements_mail_action({}, { locale }), url: link(paths.hosts()) },
  }),
)

const ends = {
  resolved: { subject: m.announcements_mail_resolved, text: m.announcements_mail_resolved_text },
  ended: { subject: m.announcements_mail_ended, text: m.announcements_mail_ended_text },
  called_off: { subject: m.announcements_mail_called_off, text: m.announcements_mail_called_off_text },
} as const

const subjects = {
  maintenance: m.announcements_mail_maintenance,
  incident: m.announcements_mail_incident,
  news: m.announcements_mail_news,
} as const
