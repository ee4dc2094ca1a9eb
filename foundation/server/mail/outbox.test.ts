import { expect, it } from 'vitest'
import { startTestApp } from '#tests/harness/test-app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { letter } from './letter.ts'
import { owe } from './outbox.ts'

const { app, mails } = await startTestApp()
const note = letter('test_note', ({ word }: { word: string }, { link }) => ({
  subject: `A note: ${word}`,
  paragraphs: ['Hello <there>', word],
  action: { label: 'Open', url: link('/account/', { key: word }) },
}))
const oweNote = (to: string, word: string) =>
  transaction(app, 'system', (tx) =>
    owe(app, tx, { user_id: null, to, locale: 'en', letter: note, values: { word } }),
  )

it('rule 30: sends a mail that was owed, with its row as the Message-ID', async () => {
  const id = await oweNote('one@example.com', 'kiwi')
  const mail = await mails.next('one@example.com')
  expect(mail.messageId).toBe(`<${id}@localhost>`)
  expect(mail.subject).toBe('A note: kiwi')
})
