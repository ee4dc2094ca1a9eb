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
          { timeout: 30_000, interval: 200 },
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
