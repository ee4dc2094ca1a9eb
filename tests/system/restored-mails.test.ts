import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { postMail } from '#features/support/mail/server/post.ts'
import { receive } from '#features/support/mail/server/receive.ts'
import { backUp } from '#foundation/server/backup/backup.ts'
import { restore } from '#foundation/server/backup/restore.ts'
import { createLog } from '#foundation/server/log.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { databaseUrl } from '#tests/harness/database-for-the-run.ts'
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
async function restored(file: string) {
  const admin = new pg.Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query('create database restored_mails owner hostdesk')
  const ownerUrl = databaseUrl(inject('adminUrl'), 'hostdesk', 'restored_mails')
  await restore({ ownerUrl, file, by: {} })
  const config = loadConfig({
    ...mailInSettings,
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
    await admin.query('drop database restored_mails with (force)')
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

  const { app, rows } = await restored(file)
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
