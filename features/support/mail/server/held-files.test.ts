import { expect, it } from 'vitest'
import { MOST_BYTES } from '#features/support/files/rules.ts'
import * as contract from '#features/support/mail/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { carriedIn, comes, mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, opened } from '#tests/harness/tickets.ts'
import { partFiles } from './mail-files.ts'

const test = await startTestApp({ settings: mailInSettings })
const olivia = await signedInStaff(test)

type Said = { text: string; attachments: { name: string; size: number }[] }
const lastIn = async (chatId: string) =>
  must(((await messagesOf(olivia, chatId)) as { items: Said[] }).items.at(-1))
const decide = (mailId: string, body: { act: 'post' | 'attach'; number?: number }) =>
  olivia.api.call(contract.decideHeldMail, { params: { mailId }, body })

const file = (name: string, bytes = 'a') =>
  `--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=${name}\r\n\r\n${bytes}\r\n`
const withFiles = (text: string, files: string) => ({
  type: 'multipart/mixed; boundary=x',
  text: `--x\r\nContent-Type: text/plain\r\n\r\n${text}\r\n${files}--x--`,
})
const eleven = Array.from({ length: 11 }, (_, at) => file(`photo${at}.bin`)).join('')

// Seen red: it could neither be posted (409) nor attached (413) until it was discarded after 30 days.
it('K-05 a mail with too many files is posted with ten of them, and its message names the others', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const { to } = await carriedIn(test, ticket.id, anna.user_id)
  const mail = rawMail({ from: anna.email, to, ...withFiles('Look at these.', eleven) })
  const { id, reason } = await comes(test, mail)
  expect(reason).toBe('files')
  expect((await decide(id, { act: 'post' })).body).toEqual({ chat_id: ticket.id })
  const { text, attachments } = await lastIn(ticket.id)
  expect(attachments).toHaveLength(10)
  expect(text).toBe('Look at these.\n\nFiles that are too many or too large, and were left out: photo10.bin')
})

it('K-05 a mail with too many files is attached with ten of them, and the note names the others', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const { id, reason } = await comes(test, rawMail({ from: anna.email, ...withFiles('Many.', eleven) }))
  expect(reason).toBe('files')
  expect((await decide(id, { act: 'attach', number: ticket.number })).status).toBe(200)
  const { text, attachments } = await lastIn(ticket.id)
  expect(attachments).toHaveLength(10)
  expect(text).toBe(
    `${anna.email} wrote by email:\n\n> Many.\n\nFiles that are too many or too large, and were left out: photo10.bin`,
  )
})

it('K-05 a file that is too large takes the place of no other', () => {
  const film = { name: 'film.bin', bytes: new Uint8Array(MOST_BYTES + 1) }
  const logs = Array.from({ length: 11 }, (_, at) => ({ name: `log${at}.bin`, bytes: new Uint8Array(1) }))
  const { fitting, others } = partFiles([film, ...logs])
  expect(fitting).toEqual(logs.slice(0, 10))
  expect(others.map(({ name }) => name)).toEqual(['film.bin', 'log10.bin'])
})

it('K-05 the answer of somebody else with too many files is shown with ten of them', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const { to } = await carriedIn(test, ticket.id, anna.user_id)
  const { id } = await comes(test, rawMail({ from: 'carl@example.org', to, ...withFiles('Here.', eleven) }))
  const params = { chatId: ticket.id, mailId: id }
  const shown = await anna.api.call(contract.decideAnswerOfOther, { params, body: { show: true } })
  expect(shown.status).toBe(204)
  const { text, attachments } = await lastIn(ticket.id)
  expect(attachments).toHaveLength(10)
  expect(text).toContain('photo10.bin')
})

// Seen red: the note was empty, and the bytes of the mail were gone.
it('K-05 a mail that nobody can read is attached as a file, to the byte; one that is too large for that stays held', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const nested = Array.from(
    { length: 300 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  ).join('')
  const unreadable = rawMail({
    from: anna.email,
    type: 'multipart/mixed; boundary=y',
    text: `--y\r\n${nested}\r\na`,
  })
  const empty = rawMail({ from: 'eve@example.org', text: '  \r\n' })
  for (const bytes of [unreadable, empty]) {
    const { id } = await comes(test, bytes)
    expect((await decide(id, { act: 'attach', number: ticket.number })).status).toBe(200)
    expect((await lastIn(ticket.id)).attachments).toMatchObject([{ name: 'mail.eml', size: bytes.length }])
  }
  const large = Buffer.concat([unreadable, Buffer.alloc(21 * 1024 * 1024, 'a')])
  const { id, reason } = await comes(test, large)
  expect(reason).toBe('unreadable')
  expect((await decide(id, { act: 'attach', number: ticket.number })).status).toBe(413)
  expect(
    await asOwner(test, 'select octet_length(content) as size from received_mails where id = $1', [id]),
  ).toEqual([{ size: large.length }])
})

// Seen red: it was held, and nobody could post it.
it('K-05 a picture whose only words are the subject of its mail opens a ticket; without words it is held', async () => {
  const anna = await signedInCustomer(test)
  const picture = withFiles('', file('picture.bin'))
  const sent = rawMail({ from: anna.email, subject: 'It is broken', ...picture })
  expect(await comes(test, sent)).toMatchObject({ state: 'posted' })
  const [row] = (await asOwner(
    test,
    'select m.text, m.attachments, t.subject from ticket_messages m join tickets t on t.id = m.ticket_id where m.author_id = $1',
    [anna.user_id],
  )) as object[]
  expect(row).toMatchObject({
    text: 'It is broken',
    subject: 'It is broken',
    attachments: [{ name: 'picture.bin' }],
  })
  expect(await comes(test, rawMail({ from: anna.email, subject: '', ...picture }))).toMatchObject({
    reason: 'no_text',
  })
  bodyOf(await olivia.api.call(contract.listHeldMails, { query: {} }), 200)
})
