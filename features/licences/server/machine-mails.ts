import { paths } from '#features/paths.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

/** `host_id` is the public id; `hostname` is '' if the machine has not reported it. */
type Values = { host: string; host_id: string; hostname: string; address: string; limit: number }

export const tooManyMachines = mailTemplate<Values>(
  'too_many_machines',
  'money',
  ({ host, host_id, hostname, address, limit }, { locale, link }) => {
    const machine = hostname === '' ? address : `${hostname} (${address})`
    return {
      subject: m.licences_mail_machines_subject({ host }, { locale }),
      // The name of the machine is chosen by the person who runs it, who may have copied the software.
      own: [host, address],
      paragraphs: [
        m.licences_mail_machines_text({ host, machine }, { locale }),
        m.licences_mail_machines_limit({ count: limit }, { locale }),
      ],
      action: { label: m.licences_mail_machines_open({}, { locale }), url: link(paths.host(host_id)) },
    }
  },
)
