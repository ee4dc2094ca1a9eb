import { expect, it } from 'vitest'
import { stopNews, getMailPreferences } from '#features/profile/contract.ts'
import { mailDueReplies } from '#features/support/messages/server/mails.ts'
import * as contract from '#features/support/mail/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { carriedIn, comes, mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, opened, say, split, staffTicket } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: mailInSettings })
const olivia = await signedInStaff(test)

it('K-05 a reply is mailed with an address for answers, and the answer becomes a message that both sides see', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  await say(olivia, ticket.id, 'Is it plugged in?')
  await asOwner(test, 'update ticket_mails set due_at = now() where due_at is not null')
  await mailDueReplies(test.app)
  const mail = await test.mails.next(anna.email)
  const to = must(mail.replyTo?.[0]?.address)
  expect(to).toMatch(/^support\+t1-[0-9a-hjkmnp-tv-z]{34}@in\.example\.com$/)
  expect(mail.references).toBe(`<ticket-${ticket.id}@localhost>`)
  expect(mail.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/mu)
  const quoted = `It is, thank you.\r\n\r\nOn Mon, 3 Aug 2026 at 10:00, Support <support@in.example.com> wrote:\r\n> Is it plugged in?\r\n`
  expect(
    await comes(test, rawMail({ from: `Anna <${anna.email}>`, to: to.toUpperCase(), text: quoted })),
  ).toMatchObject({
    state: 'posted',
  })
  const { items } = (await messagesOf(olivia, ticket.id)) as { items: { text: string; seq: number }[] }
  expect(items.at(-1)).toMatchObject({
    text: 'It is, thank you.',
    by_mail: true,
    author: { id: anna.user_id },
  })
  const params = { chatId: ticket.id, seq: String(must(items.at(-1)).seq) }
  for (const reader of [anna, olivia])
    expect(bodyOf(await reader.api.call(contract.getWholeMail, { params }), 200).text).toContain(
      '> Is it plugged in?',
    )
  const other = await signedInCustomer(test)
  expect((await other.api.call(contract.getWholeMail, { params })).status).toBe(404)
  expect(await staffTicket(olivia, ticket.id)).toMatchObject({ status: 'in-progress' })
})

it('K-05 one click in a mail about replies stops these, and no news', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  await say(olivia, ticket.id, 'Hello.')
  await asOwner(test, 'update ticket_mails set due_at = now() where due_at is not null')
  await mailDueReplies(test.app)
  const { raw } = await test.mails.next(anna.email)
  const [, key = ''] = /List-Unsubscribe: <[^>]*\?key=([\w-]+)>/u.exec(raw.replaceAll(/\r\n\s+/gu, ' ')) ?? []
  expect((await test.api.call(stopNews, { query: { key } })).status).toBe(204)
  expect(bodyOf(await anna.api.call(getMailPreferences, {}), 200)).toMatchObject({
    ticket_replies: false,
    ticket_closing: true,
  })
})

it('K-05 the answer of a third person is shown in the ticket only as the customer decides, as a quotation', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const params = { chatId: ticket.id }
  const { to } = await carriedIn(test, ticket.id, anna.user_id)
  const from = 'Carl <carl@example.org>'
  for (const text of ['I know more.', 'Buy my watches.']) await comes(test, rawMail({ from, to, text }))
  const { asked } = bodyOf(await anna.api.call(contract.getTicketMails, { params }), 200)
  expect(asked).toMatchObject([
    { from: 'carl@example.org', text: 'I know more.' },
    { text: 'Buy my watches.' },
  ])
  const decide = (by: typeof anna, at: number, show: boolean) =>
    by.api.call(contract.decideAnswerOfOther, {
      params: { ...params, mailId: must(asked[at]).id },
      body: { show },
    })
  expect((await decide(await signedInCustomer(test), 0, true)).status).toBe(404)
  expect((await decide(olivia, 0, true)).status).toBe(404)
  expect([(await decide(anna, 0, true)).status, (await decide(anna, 1, false)).status]).toEqual([204, 204])
  expect((await decide(anna, 0, true)).status).toBe(404)
  const { items } = (await messagesOf(anna, ticket.id)) as { items: { text: string }[] }
  expect(items.map(({ text }) => text)).toEqual([
    'Since this morning.',
    'carl@example.org wrote by email:\n\n> I know more.',
  ])
})

it('K-05 staff post, attach, discard and block held mails; nobody is mailed about that', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const own = await opened(olivia)
  const { to } = await carriedIn(test, ticket.id, anna.user_id)
  const forged = ['Authentication-Results: mx.example.com; dmarc=fail']
  await comes(test, rawMail({ from: anna.email, to, text: 'It is me.', more: forged }))
  for (const text of ['A hint.', 'Spam.', 'More spam.'])
    await comes(test, rawMail({ from: 'eve@example.org', text }))
  const list = async () => bodyOf(await olivia.api.call(contract.listHeldMails, { query: {} }), 200).items
  const decide = async (
    text: string,
    body: { act: 'post' | 'attach' | 'discard' | 'block'; number?: number },
    by = olivia,
  ) => {
    const held = must((await list()).find((mail) => mail.text === text))
    return by.api.call(contract.decideHeldMail, { params: { mailId: held.id }, body })
  }
  expect(await list()).toMatchObject([
    { reason: 'forged', can_post: true, customer: { id: anna.user_id }, ticket: { number: ticket.number } },
    { reason: 'stranger', can_post: false, customer: null, ticket: null },
    {},
    {},
  ])
  expect((await decide('A hint.', { act: 'discard' }, anna)).status).toBe(403)
  expect((await decide('A hint.', { act: 'post' })).body).toMatchObject(refusal(409, 'mail_not_postable'))
  expect((await decide('A hint.', { act: 'attach', number: own.number })).body).toMatchObject(
    refusal(409, 'own_ticket'),
  )
  expect((await decide('A hint.', { act: 'attach', number: 9_999_999 })).body).toMatchObject(
    refusal(400, 'unknown_ticket', 'number'),
  )
  expect(bodyOf(await decide('It is me.', { act: 'post' }), 200)).toEqual({ chat_id: ticket.id })
  expect((await decide('A hint.', { act: 'attach', number: ticket.number })).status).toBe(200)
  expect((await decide('Spam.', { act: 'block' })).status).toBe(200)
  expect(await list()).toEqual([])
  // Nobody decides as staff about a mail of their own.
  const mine = await carriedIn(test, own.id, olivia.user_id)
  await comes(test, rawMail({ from: olivia.email, to: mine.to, text: 'My own.', more: forged }))
  expect((await decide('My own.', { act: 'post' })).body).toMatchObject(refusal(409, 'own_ticket'))
  expect((await decide('My own.', { act: 'discard' }, await signedInStaff(test))).status).toBe(200)
  expect(await comes(test, rawMail({ from: 'eve@example.org', text: 'Again.' }))).toMatchObject({
    reason: 'blocked_sender',
  })
  const { items } = (await messagesOf(olivia, ticket.id)) as { items: object[] }
  expect(items.slice(-2)).toMatchObject([
    { kind: 'comment', text: 'It is me.', author: { id: anna.user_id }, by_mail: true },
    { kind: 'note', text: 'eve@example.org wrote by email:\n\n> A hint.', author: { id: olivia.user_id } },
  ])
})

it('K-05 a mail that the server refuses suspends its address until its owner says so, and staff see which message it was', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  await test.startWorker()
  test.mails.refuseWith(550, 'recipient')
  await say(olivia, ticket.id, 'Here you are.')
  await asOwner(test, 'update ticket_mails set due_at = now() where due_at is not null')
  await mailDueReplies(test.app)
  const params = { chatId: ticket.id }
  const seen = async () => bodyOf(await olivia.api.call(contract.getTicketMails, { params }), 200)
  await expect
    .poll(seen, { timeout: 20_000 })
    .toMatchObject({ returned: [{ seq: 2, to: anna.email }], suspended: [{ email: anna.email }] })
  test.mails.refuseWith(undefined)
  expect(bodyOf(await anna.api.call(contract.listSuspended, {}), 200).items).toMatchObject([
    { email: anna.email },
  ])
  const retry = (email: string) => anna.api.call(contract.retryAddress, { body: { email } })
  expect((await retry('other@example.com')).body).toMatchObject(refusal(400, 'unknown_email', 'email'))
  expect((await retry(anna.email)).status).toBe(204)
  expect(bodyOf(await anna.api.call(contract.listSuspended, {}), 200).items).toEqual([])
  // The mail goes with the message to the ticket that is split off.
  const { id: chatId } = bodyOf(await split(olivia, ticket.id, 2), 201)
  expect((await seen()).returned).toEqual([])
  const moved = bodyOf(await olivia.api.call(contract.getTicketMails, { params: { chatId } }), 200)
  expect(moved.returned).toMatchObject([{ to: anna.email }])
})

it('K-05 a ticket that was closed long ago takes no answer: it is held, and staff open a new one with it', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const { to } = await carriedIn(test, ticket.id, anna.user_id)
  await asOwner(
    test,
    `update tickets set status = 'closed', closed_at = now() - interval '40 days' where public_id = $1`,
    [ticket.id],
  )
  const { id } = await comes(test, rawMail({ from: anna.email, to, text: 'Once more.' }))
  const answer = await olivia.api.call(contract.decideHeldMail, {
    params: { mailId: id },
    body: { act: 'post' },
  })
  const { chat_id } = bodyOf(answer, 200)
  expect(await messagesOf(anna, must(chat_id))).toMatchObject({
    items: [{ text: 'Once more.', by_mail: true }],
  })
})
