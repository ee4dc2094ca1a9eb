import { paths } from '#features/paths.ts'
import { toolText } from '#features/assistants/texts.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type Proposed = {
  /** The name of the token. */
  name: string
  /** The id of the call that waits. */
  tool: string
  expires_at: Date
}

export const proposed = mailTemplate<Proposed>(
  'assistant_proposed',
  'rest',
  [{ name: 'desk helper', tool: 'orderLicence', expires_at: EXAMPLE.until }],
  ({ name, tool, expires_at }, { locale, link, time }) => ({
    subject: m.assistants_mail_proposed_subject({}, { locale }),
    paragraphs: [m.assistants_mail_proposed({ name, time: time(expires_at) }, { locale })],
    facts: [[m.assistants_mail_what({}, { locale }), toolText(tool, locale)]],
    action: { label: m.assistants_mail_action({}, { locale }), url: link(paths.api()) },
  }),
)
