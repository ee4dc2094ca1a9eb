import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate, type MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import * as m from '#texts/messages.js'

/** Mails all owners: a robot reads no mails. */
export async function mailOwners<Values>(
  app: App,
  tx: Tx,
  template: MailTemplate<Values>,
  values: NoInfer<Values>,
): Promise<void> {
  for (const { id, staff_roles } of await staffMembers(tx))
    if (staff_roles.includes('owner')) await mailTo(app, tx, id, template, values)
}

type What = 'made' | 'soon' | 'expired' | 'leak'
type About = { robot: string; name: string; what: What; time: Date }

const about = (what: What): About => ({ robot: 'Triage', name: 'night run', what, time: EXAMPLE.until })

const texts = {
  made: [m.team_mail_robot_made_subject, m.team_mail_robot_made],
  soon: [m.team_mail_robot_soon_subject, m.team_mail_robot_soon],
  expired: [m.team_mail_robot_ended_subject, m.team_mail_robot_expired],
  leak: [m.team_mail_robot_ended_subject, m.team_mail_robot_leak],
} as const

export const robotToken = mailTemplate<About>(
  'robot_token',
  'security',
  [about('made'), about('soon'), about('expired'), about('leak')],
  ({ robot, name, what, time: at }, { locale, link, time }) => {
    const [subject, text] = texts[what]
    return {
      subject: subject({ robot }, { locale }),
      paragraphs: [text({ robot, name, time: time(at) }, { locale })],
      action: { label: m.team_mail_action({}, { locale }), url: link(paths.team()) },
    }
  },
)
