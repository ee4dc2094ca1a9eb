import net, { type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startDovecot, hasDovecot, mailboxAt } from '#tests/harness/dovecot.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { examineMailbox } from './imap.ts'
import { closeMailbox, watchMailbox } from './mailbox.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'

it.runIf(hasDovecot)(
  'K-05 a mailbox is read: what is stored moves to Done, at once when a mail arrives, and a mail that is moved back is known',
  async () => {
    const dovecot = await startDovecot()
    const test = await startTestApp({ settings: { ...mailInSettings, MAIL_IN_IMAP_URL: dovecot.url } })
    const { app } = test
    const anna = await signedInCustomer(test)
    const box = await mailboxAt(dovecot.url)
    const states = async () =>
      (await asOwner(
        test,
        'select subject, state, reason from received_mails order by received_at',
      )) as object[]
    const count = async (folder: string) =>
      (await box.status(folder, { messages: true })) as { messages?: number }
    try {
      await box.append('INBOX', rawMail({ from: anna.email, subject: 'First' }))
      await box.append('INBOX', Buffer.from('\u0000\u0001 no mail'))
      await watchMailbox(app)
      expect(await states()).toHaveLength(2)
      expect([(await count('INBOX')).messages, (await count('INBOX.Done')).messages]).toEqual([0, 2])
      await box.append('INBOX', rawMail({ from: anna.email, subject: 'Second' }))
      await expect
        .poll(
          async () => {
            await watchMailbox(app)
            return (await states()).length
          },
          { timeout: 90_000, interval: 200 },
        )
        .toBe(3)
      await box.mailboxOpen('INBOX.Done')
      await box.messageMove('1:*', 'INBOX')
      await box.mailboxClose()
      await closeMailbox(app)
      await watchMailbox(app)
      expect(await states()).toHaveLength(3)
      expect((await count('INBOX')).messages).toBe(0)
      expect(await examineMailbox(must(app.config.mailIn))).toEqual({ waiting: 0, done: 'INBOX.Done' })
    } finally {
      box.close()
      await closeMailbox(app)
      await dovecot.stop()
    }
  },
)

/** Stands before an IMAP server: passes on all that is said, but may refuse to make folders and to move, and knows which connections are open. */
async function standBefore(address: string) {
  const { hostname, port } = new URL(address)
  const open = new Set<net.Socket>()
  const way = { open, refusesFolders: true, refusesMoves: false, downloads: 0, url: '', close: () => {} }
  const server = net.createServer((socket) => {
    const behind = net.connect(Number(port), hostname)
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      behind.destroy()
    })
    socket.on('error', () => {})
    behind.on('error', () => {}).pipe(socket)
    socket.setEncoding('latin1').on('data', (words: string) => {
      const [, tag] = /^(\S+) CREATE /.exec(words) ?? []
      const [, move] = /^(\S+) UID MOVE /.exec(words) ?? []
      if (words.includes('BODY.PEEK[]')) way.downloads += 1
      if (move !== undefined && way.refusesMoves) socket.write(`${move} NO [TRYCREATE] no such folder\r\n`)
      else if (tag !== undefined && way.refusesFolders) socket.write(`${tag} NO [NOPERM] no folders here\r\n`)
      else behind.write(words, 'latin1')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  way.url = address.replace(port, String((server.address() as AddressInfo).port))
  way.close = () => server.close()
  return way
}

// Seen red: the connection stayed open, and every 15 s there was one more.
it.runIf(hasDovecot)(
  'a mailbox that cannot be read keeps no connection, and one that is opened again and again leaves nothing behind',
  async () => {
    const dovecot = await startDovecot()
    const way = await standBefore(dovecot.url)
    const refusing = await startTestApp({ settings: { ...mailInSettings, MAIL_IN_IMAP_URL: way.url } })
    const wrong = way.url.replace('secret', 'wrong')
    const unknown = await startTestApp({ settings: { ...mailInSettings, MAIL_IN_IMAP_URL: wrong } })
    const open = await startTestApp({ settings: { ...mailInSettings, MAIL_IN_IMAP_URL: way.url } })
    try {
      for (const { app, logged } of [refusing, unknown]) {
        await watchMailbox(app)
        expect(JSON.stringify(logged)).toContain('the mailbox cannot be read')
        await expect.poll(() => way.open.size, { timeout: 5000 }).toBe(0)
      }
      way.refusesFolders = false
      const before = open.app.beforeClose.size
      for (let times = 0; times < 3; times += 1) {
        await watchMailbox(open.app)
        expect(way.open.size).toBe(1)
        await closeMailbox(open.app)
        await expect.poll(() => way.open.size, { timeout: 5000 }).toBe(0)
      }
      expect(open.app.beforeClose.size).toBe(before)
    } finally {
      await closeMailbox(open.app)
      way.close()
      await dovecot.stop()
    }
  },
)

// Seen red: nobody was told, each mail was downloaded again each minute, and a folder that was gone was never made again.
it.runIf(hasDovecot)(
  'mails that the folder Done does not take are stored once, with one warning, and move once it takes them',
  async () => {
    const dovecot = await startDovecot()
    const way = await standBefore(dovecot.url)
    Object.assign(way, { refusesFolders: false, refusesMoves: true })
    const test = await startTestApp({ settings: { ...mailInSettings, MAIL_IN_IMAP_URL: way.url } })
    const { app, logged } = test
    const box = await mailboxAt(dovecot.url)
    const warnings = () => logged.filter((line) => JSON.stringify(line).includes('cannot be moved')).length
    try {
      for (const text of ['One.', 'Two.']) await box.append('INBOX', rawMail({ text }))
      await watchMailbox(app)
      expect(await asOwner(test, 'select from received_mails')).toHaveLength(2)
      expect([warnings(), way.downloads]).toEqual([1, 2])
      // The folder is gone, and what follows is looked at.
      await box.mailboxDelete('INBOX.Done')
      await box.append('INBOX', rawMail({ text: 'Three.' }))
      await expect
        .poll(
          async () => {
            await watchMailbox(app)
            return way.downloads
          },
          { timeout: 90_000, interval: 200 },
        )
        .toBe(3)
      expect(warnings()).toBe(2)
      way.refusesMoves = false
      await box.mailboxDelete('INBOX.Done')
      await box.append('INBOX', rawMail({ text: 'Four.' }))
      const waiting = async () => {
        await watchMailbox(app)
        return (await examineMailbox({ ...must(app.config.mailIn) })).waiting
      }
      await expect.poll(waiting, { timeout: 90_000, interval: 200 }).toBe(0)
      expect(way.downloads).toBe(4)
      expect(await asOwner(test, 'select from received_mails')).toHaveLength(4)
    } finally {
      box.close()
      await closeMailbox(app)
      way.close()
      await dovecot.stop()
    }
  },
  240_000,
)
