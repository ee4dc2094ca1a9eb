import { resolveMx } from 'node:dns/promises'
import { examineMailbox } from '#features/support/server/support.ts'
import type { Config } from '#foundation/server/config.ts'
import { errorLines } from '#foundation/server/error-lines.ts'
import { Warning } from './warning.ts'

/** Looks whether mails can come in: that the domain takes mail, and that the mailbox and its folder are there. */
export async function examineMailIn({ mailIn }: Config): Promise<string> {
  if (!mailIn) return 'MAIL_IN_DOMAIN is not set; mails lead to the pages'
  const { domain, imapUrl, authServer } = mailIn
  const found = imapUrl ? await mailboxIn(mailIn) : 'no MAIL_IN_IMAP_URL: mails come by hostdesk mail receive'
  const servers = await resolveMx(domain).catch(() => [])
  if (servers.length === 0)
    throw new Warning(`${found}. No MX leads mails to ${domain}, as far as this machine knows. Add one.`)
  if (!authServer)
    throw new Warning(`${found}. MAIL_IN_AUTH_SERVER is not set, so no mail is held as forged. Set it.`)
  return `${found}; ${servers.map(({ exchange }) => exchange).join(', ')} takes mails for ${domain}`
}

async function mailboxIn(mailIn: NonNullable<Config['mailIn']>): Promise<string> {
  try {
    const { waiting, done } = await examineMailbox(mailIn)
    return `${mailIn.folder} has ${waiting} mails, and ${done} is there`
  } catch (error) {
    throw new Error(
      `the mailbox of MAIL_IN_IMAP_URL cannot be read: ${errorLines(error).join(' ')}. Correct MAIL_IN_IMAP_URL or MAIL_IN_FOLDER.`,
      { cause: error },
    )
  }
}
