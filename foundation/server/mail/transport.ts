import type { Config } from '#foundation/server/config.ts'
import { logoOfMails } from './layout.ts'
import type { Answers } from './mail-template.ts'
import type { Stored } from './outbox.ts'
import { senderOf, smtpOptions } from './smtp.ts'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'

type Outgoing = Stored & { id: string; to: string; created_at: Date }

const MOST_ms = 60_000

/**
 * Hands a mail to the mail server and returns once the server has answered 250 (RFC 5321 4.2.5). Throws after 60 s at the latest. The
 * Message-ID and the date come from the row, so that a mail that is sent again is recognised as the same mail.
 */
export async function send(
  config: Config,
  { id, to, created_at, subject, text, html, attachments, unsubscribe, answers }: Outgoing,
  most_ms = MOST_ms,
): Promise<void> {
  const options = smtpOptions(config)
  const limit = AbortSignal.timeout(most_ms)
  // Loaded at the first mail: an installation without SMTP_URL never needs it.
  const [{ createTransport }, { default: SmtpTransport }] = await Promise.all([
    import('nodemailer'),
    import('nodemailer/lib/smtp-transport'),
  ])
  const way = new SmtpTransport({
    ...options,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  const transport = createTransport(way)
  const lateOr = (error: unknown) => {
    throw limit.aborted ? new Error(`the mail server took longer than ${most_ms} ms`) : error
  }
  const content = logoOfMails(config.operator)
  const logo = content ? [{ filename: 'logo.png', content, cid: 'logo', contentType: 'image/png' }] : []
  if (needsSmtpUtf8(to)) await assertOffersSmtpUtf8(way.options, limit).catch(lateOr)
  const sending = transport.sendMail({
    // The connection ends with the limit: one that went on would deliver a mail that counts as failed, once more at each try.
    signal: limit,
    from: senderOf(config),
    // An object, not a text: nothing in it is read as a second address.
    to: { name: '', address: to },
    messageId: `<${id}@${new URL(config.publicOrigin).hostname}>`,
    date: created_at,
    ...(answers && answering(answers, to)),
    subject,
    text,
    html,
    attachments: [
      ...logo,
      ...attachments.map(({ filename, type, content }) => ({
        filename,
        contentType: type,
        content: Buffer.from(content, 'base64'),
      })),
    ],
    // No out-of-office reply may answer the mail (RFC 3834 5; Exchange knows only its own header).
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // Both headers together promise that one POST is enough (RFC 8058 3.1).
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  })
  await sending.catch(lateOr).finally(() => transport.close())
}

/** The headers that tie a mail to the letters before it and lead its answer to us, and the sender to whom it comes back. */
const answering = ({ to: replyTo, returns, thread }: Answers, to: string) => ({
  replyTo: { name: '', address: replyTo },
  references: `<${thread}>`,
  inReplyTo: `<${thread}>`,
  ...(returns !== undefined && { envelope: { from: returns, to } }),
})

/** True for an address with letters beyond ASCII before its @; those of a domain are sent as Punycode. */
const needsSmtpUtf8 = (to: string) => !/^[!-~]+@/.test(to)

/**
 * Throws what such a server should answer (RFC 6531 3.5) if it offers no SMTPUTF8: the sender's program would send the letters all the same,
 * and the mail would vanish on its way instead of being given up where staff see it.
 */
async function assertOffersSmtpUtf8(options: SMTPConnectionOptions, limit: AbortSignal): Promise<void> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection(options)
  try {
    await new Promise<void>((resolve, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason))
      connection.on('error', reject)
      connection.once('end', () => reject(new Error('the mail server ended the connection')))
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    // After a connection the last answer is the one to EHLO, also where TLS began in between.
    if (/^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || '')) return
  } finally {
    connection.close()
  }
  throw Object.assign(new Error('5.6.7 the mail server offers no SMTPUTF8, so it takes no such address'), {
    command: 'RCPT TO',
    responseCode: 553,
  })
}
