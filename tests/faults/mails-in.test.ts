import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { carriedReply } from '#features/support/mail/server/mail.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startDovecot, mailboxAt } from '#tests/harness/dovecot.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { rawMail } from '#tests/harness/mail-in.ts'
import { opened } from '#tests/harness/tickets.ts'
import { startInstallation } from './installation.ts'

/** The number of mails; 1,000 by `npm run test:faults -- mails`, which needs Dovecot. Without the setting nothing runs. */
const MAILS = Number(process.env['MAILS'] ?? 0)
const CUSTOMERS = Math.max(1, Math.ceil(MAILS / 20))
const PIPED = Math.ceil(MAILS / 40)

it.runIf(MAILS > 0)(
  `K-05 ${MAILS} mails by IMAP and pipe under kill -9 of server and database: none is lost, none doubled, each in its ticket`,
  async () => {
    const dovecot = await startDovecot()
    const installation = await startInstallation({
      MAIL_IN_DOMAIN: 'in.example.com',
      MAIL_IN_IMAP_URL: dovecot.url,
    })
    onTestFinished(async () => {
      await Promise.all([installation.close(), dovecot.stop()])
    })
    const places: { from: string; to: string; ticket_id: string }[] = []
    for (let at = 0; at < CUSTOMERS; at += 1) {
      const customer = await signedInCustomer(installation)
      const ticket = await opened(customer)
      const { app } = installation
      const { user_id } = customer
      const [row] = (await asOwner(installation, 'select id from tickets where public_id = $1', [
        ticket.id,
      ])) as { id: string }[]
      const of = { ticket_id: BigInt(must(row).id), user_id, chat_id: ticket.id }
      const carried = await transaction(app, 'system', (tx) => carriedReply(app, tx, of))
      places.push({ from: customer.email, to: must(carried).answers.to, ticket_id: must(row).id })
    }
    const mails = Array.from({ length: MAILS }, (_, at) => {
      const { from, to } = must(places[at % CUSTOMERS])
      return rawMail({ from, to, text: `Mail ${at}.` })
    })
    const client = await mailboxAt(dovecot.url)
    const arriving = (async () => {
      for (const mail of mails.slice(PIPED)) await client.append('INBOX', mail)
      // Left open, it would be timed out while the rest is posted.
      client.close()
    })()
    const piping = (async () => {
      for (const mail of mails.slice(0, PIPED))
        while ((await pipe(installation, mail)) !== 0) await pause(200)
    })()
    const flow = Promise.all([arriving, piping])
    let kills = 0
    let isOver = false
    void flow.then(() => (isOver = true))
    while (!isOver || (await posted(installation)) < MAILS) {
      const before = await posted(installation)
      await pause(1500 + Math.random() * 3000)
      if ((await posted(installation)) - before < 5 && kills > 3) continue
      if (kills >= 12) continue
      await installation.kill()
      kills += 1
      await installation.start()
    }
    const rows = (await asOwner(
      installation,
      `select ticket_id, text from ticket_messages where by_mail`,
    )) as {
      ticket_id: string
      text: string
    }[]
    expect(rows).toHaveLength(MAILS)
    expect(new Set(rows.map(({ text }) => text)).size).toBe(MAILS)
    for (const { ticket_id, text } of rows)
      expect(ticket_id).toBe(must(places[Number(/\d+/u.exec(text)?.[0]) % CUSTOMERS]).ticket_id)
    process.stdout.write(`  ${MAILS} mails, ${kills} kills: 0 lost, 0 doubled\n`)
    expect(kills).toBeGreaterThan(0)
  },
  3_600_000,
)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Of = Awaited<ReturnType<typeof startInstallation>>

const posted = async (installation: Of): Promise<number> => {
  const [row] = (await asOwner(
    installation,
    'select count(*)::int as n from ticket_messages where by_mail',
  )) as { n: number }[]
  return must(row).n
}

/** Hands a mail over as a mail server does; returns the exit code. */
async function pipe({ dataDir, settings }: Of, mail: Buffer): Promise<number> {
  const child = spawn(process.execPath, ['app/cli/main.ts', 'mail', 'receive'], {
    env: { ...process.env, ...settings, DATA_DIR: dataDir },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.on('error', () => {})
  child.stdin.end(mail)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
