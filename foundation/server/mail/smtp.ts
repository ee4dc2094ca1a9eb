import type { Config } from '#foundation/server/config.ts'

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
