import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { postMail } from '#features/support/mail/server/post.ts'
import { closeMailbox, watchMailbox } from '#features/support/mail/server/mailbox.ts'
import { receive } from '#features/support/mail/server/receive.ts'
import { backUp } from '#foundation/server/backup/backup.ts'
import { restore } from '#foundation/server/backup/restore.ts'
import { createLog } from '#foundation/server/log.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { databaseUrl } from '#tests/harness/database-for-the-run.ts'
import { hasDovecot, mailboxAt, startDovecot } from '#tests/harness/dovecot.ts'
import { carriedIn, comes, mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, opened } from '#tests/harness/tickets.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-restored-mails-'))
const test = await startTestApp({ settings: mailInSettings })
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** Restores a backup of the test's database into another one; returns the product over it, and what it has of mails. */
async function restored(file: string, name: string, settings: Record<string, string> = {}) {
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query(`create database ${name} owner hostdesk`)
  const ownerUrl = databaseUrl(inject('adminUrl'), 'hostdesk', name)
  await restore({ ownerUrl, file, by: {} })
  const config = loadConfig({
    ...mailInSettings,
    ...settings,
    PUBLIC_ORIGIN: 'http://localhost:3000',
    DATA_DIR: folder,
    DATABASE_URL: ownerUrl,
    SMTP_URL: test.mails.url,
    SECRET_KEY: 'the-key-of-the-tests-which-protects-nothing-0123456789',
    DEMO: 'off',
  })
  const app = await buildApp(config, { ownerUrl, log: createLog({ level: 'silent' }) })
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  closing.push(async () => {
    await client.end()
    await app.close()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  const rows = async (statement: string) => (await client.query<Record<string, unknown>>(statement)).rows
  return { app, rows }
}

it('K-05 rule 49: a mail that came before or after the backup, and comes again after its restore, is one message', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const { to } = await carriedIn(test, ticket.id, anna.user_id)
  const mail = (text: string) => rawMail({ from: anna.email, to, text })
  const [before, after] = [mail('Written before.'), mail('Written after.')]
  await comes(test, before)
  const file = path.join(folder, 'mails.backup')
  await backUp({ ownerUrl: test.app.ownerUrl, file, storage: test.app.storage, isInBucket: false })
  await comes(test, after)
  const { items } = (await messagesOf(anna, ticket.id)) as { items: { text: string }[] }
  expect(items.map(({ text }) => text)).toEqual(['Since this morning.', 'Written before.', 'Written after.'])

  const { app, rows } = await restored(file, 'restored_mails')
  // Mail servers on the way add headers: the same mail is not the same bytes.
  const again = (bytes: Buffer, way: 'imap' | 'pipe') =>
    receive(app, { bytes: Buffer.concat([Buffer.from(`Received: by ${way}\r\n`), bytes]), way })
  expect(await Promise.all([again(before, 'imap'), again(before, 'pipe')])).toEqual([false, false])
  expect([await again(after, 'imap'), await again(after, 'pipe')]).toEqual([true, false])
  for (const { id } of await rows(`select id from received_mails where state = 'new'`))
    await Promise.all([postMail(app, { id: String(id) }), postMail(app, { id: String(id) })])
  expect(await rows(`select text, by_mail from ticket_messages order by seq`)).toEqual([
    { text: 'Since this morning.', by_mail: false },
    { text: 'Written before.', by_mail: true },
    { text: 'Written after.', by_mail: true },
  ])
})

// After a restore the mailbox knows more than the database: mails that came since the backup lie in Done, and are moved back by hand.
it.runIf(hasDovecot)(
  'K-05 rule 49: a mailbox that delivers all its mails again to a restored database brings each once',
  async () => {
    const dovecot = await startDovecot()
    const box = await mailboxAt(dovecot.url)
    closing.push(async () => {
      box.close()
      await dovecot.stop()
    })
    const imap = { MAIL_IN_IMAP_URL: dovecot.url }
    const first = await startTestApp({ settings: { ...mailInSettings, ...imap } })
    const anna = await signedInCustomer(first)
    const ticket = await opened(anna)
    const { to } = await carriedIn(first, ticket.id, anna.user_id)
    const arrives = async (text: string) => {
      await box.append('INBOX', rawMail({ from: anna.email, to, text }))
      await watchMailbox(first.app)
    }
    await arrives('Written before.')
    const file = path.join(folder, 'mailbox.backup')
    await backUp({ ownerUrl: first.app.ownerUrl, file, storage: first.app.storage, isInBucket: false })
    await arrives('Written after.')
    await closeMailbox(first.app)

    const { app, rows } = await restored(file, 'restored_mailbox', imap)
    await box.mailboxOpen('INBOX.Done')
    await box.messageMove('1:*', 'INBOX')
    await box.mailboxClose()
    await watchMailbox(app)
    await closeMailbox(app)
    expect(await box.status('INBOX', { messages: true })).toMatchObject({ messages: 0 })
    for (const { id } of await rows(`select id from received_mails where state = 'new'`))
      await Promise.all([postMail(app, { id: String(id) }), postMail(app, { id: String(id) })])
    expect(await rows(`select text from ticket_messages where by_mail order by seq`)).toEqual([
      { text: 'Written before.' },
      { text: 'Written after.' },
    ])
  },
)
