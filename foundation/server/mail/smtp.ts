import type { Config } from '#foundation/server/config.ts'

/**
 * Reads a sender as it is set: `Name <address>`, or the address alone. nodemailer would read a comma in the name as the end of an address;
 * quotes around the whole name and backslashes within them, as in a header, are no part of it.
 */
export function senderOf({ mailFrom }: Pick<Config, 'mailFrom'>): { name: string; address: string } {
  const [, written = '', address = mailFrom] = /^(.*) <([^<>]+)>$/s.exec(mailFrom) ?? []
  const quoted = /^"((?:[^"\\]|\\.)*)"$/s.exec(written.trim())?.[1]
  return { name: quoted?.replaceAll(/\\(.)/gs, '$1') ?? written, address }
}

/** How to reach the mail server, for nodemailer. Throws where SMTP_URL is not set. */
export function smtpOptions({ smtpUrl, demandsStartTls }: Pick<Config, 'smtpUrl' | 'demandsStartTls'>) {
  if (!smtpUrl) throw new Error('SMTP_URL is not set')
  return {
    url: smtpUrl.reveal(),
    // Rule 40: without `requireTLS` nodemailer sends name and password in clear to a server that offers no TLS.
    requireTLS: demandsStartTls,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
