import type { AddressInfo } from 'node:net'
import { callbackify, inspect } from 'node:util'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail as the recipient's program reads it; `raw` is the text that the server received. */
type Mail = Email & { to_address: string; raw: string }

export type MailSink = {
  url: string
  /** All mails that arrived, oldest first. */
  all: Mail[]
  /** Returns the oldest mail to `address` that was not taken yet; waits for it up to `timeout_ms`, then throws. */
  next(address: string, timeout_ms?: number): Promise<Mail>
  /**
   * Returns the oldest mail to `address` that was not taken yet and whose subject or text has these words, and takes those before it as
   * well; waits as `next` does, but longer. A text begins with a greeting and ends with the sender, so a pattern with `^` or `$` is one of
   * a subject.
   */
  about(address: string, words: string | RegExp, timeout_ms?: number): Promise<Mail>
  /** Refuses the sender, or the recipient, of all further mails with this SMTP code; undefined accepts mails again. */
  refuseWith(code: number | undefined, at?: 'sender' | 'recipient'): void
  /** Offers SMTPUTF8 (RFC 6531) to all further connections, or no longer. */
  offerSmtpUtf8(offers: boolean): void
  close(): Promise<void>
}

/** Starts a mail server on a free port of this machine; it keeps the mails that it gets. */
export async function startMailSink(): Promise<MailSink> {
  const all: Mail[] = []
  const taken = new Set<Mail>()
  const waiting = new Set<() => void>()
  let refusal: { code: number; at: 'sender' | 'recipient' } | undefined
  const answer = (at: string, callback: (error?: Error) => void) =>
    refusal?.at === at
      ? callback(Object.assign(new Error('refused by the test'), { responseCode: refusal.code }))
      : callback()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onMailFrom: (_address, _session, callback) => answer('sender', callback),
    onRcptTo: (_address, _session, callback) => answer('recipient', callback),
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        callbackify(keep)(raw, recipients, callback)
      })
    },
  })
  async function keep(raw: string, recipients: string[]): Promise<void> {
    const email = await PostalMime.parse(raw)
    for (const to_address of recipients) all.push({ ...email, to_address, raw })
    for (const wake of waiting) wake()
  }
  server.on('error', () => {})
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const { port } = server.server.address() as AddressInfo

  const take = (address: string, words: string | RegExp) => {
    for (const mail of all) {
      if (mail.to_address !== address || taken.has(mail)) continue
      taken.add(mail)
      if (isAbout(mail, words)) return mail
    }
    return undefined
  }
  async function wait(address: string, words: string | RegExp, timeout_ms: number): Promise<Mail> {
    const deadline = Date.now() + timeout_ms
    for (;;) {
      const mail = take(address, words)
      if (mail) return mail
      const rest_ms = deadline - Date.now()
      if (rest_ms <= 0) {
        const wanted = words === '' ? address : `${address} about ${inspect(words)}`
        throw new Error(`No mail to ${wanted} in ${timeout_ms} ms; there were ${list(all)}`)
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(wake, rest_ms)
        function wake() {
          clearTimeout(timer)
          waiting.delete(wake)
          resolve()
        }
        waiting.add(wake)
      })
    }
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    all,
    next: (address, timeout_ms = 12_000) => wait(address, '', timeout_ms),
    // One limit for all mails that it passes over.
    about: (address, words, timeout_ms = 30_000) => wait(address, words, timeout_ms),
    refuseWith(code, at = 'sender') {
      refusal = code === undefined ? undefined : { code, at }
    },
    offerSmtpUtf8(offers) {
      server.options.hideSMTPUTF8 = !offers
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const isAbout = ({ subject = '', text = '' }: Mail, words: string | RegExp): boolean =>
  [subject, text].some((said) => (typeof words === 'string' ? said.includes(words) : words.test(said)))

function list(mails: Mail[]): string {
  return mails.map((mail) => `'${mail.subject}' to ${mail.to_address}`).join(', ') || 'none'
}
