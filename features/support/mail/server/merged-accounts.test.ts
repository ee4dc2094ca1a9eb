import { expect, it } from 'vitest'
import { byCommand } from '#features/customers/server/customers.ts'
import { listHeldMails } from '#features/support/mail/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { carriedIn, comes, mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { messagesOf, opened } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: mailInSettings })
const olivia = await signedInStaff(test)

/** Somebody with two accounts that become one, and the address for answers in a ticket of the first. */
async function merged() {
  const [from, into] = [await signedInCustomer(test), await signedInCustomer(test)]
  const ticket = await opened(from)
  const { to } = await carriedIn(test, ticket.id, from.user_id)
  const { user_id } = from
  await byCommand.mergeByCommand(test.app, { user_id, reason: 'one' }, { into: into.user_id, now: true })
  return { from, into, ticket, to }
}

// Seen red: the mails were held, because the account of the mailbox is locked.
it('K-05 after a merge of accounts, answers to old mails and from old mailboxes come from the account that stays', async () => {
  const { from, into, ticket, to } = await merged()
  const next = await carriedIn(test, ticket.id, into.user_id)
  for (const mail of [
    { from: from.email, to, text: 'Old mail, old mailbox.' },
    { from: into.email, to, text: 'Old mail, new mailbox.' },
    { from: from.email, to: next.to, text: 'New mail, old mailbox.' },
  ])
    expect(await comes(test, rawMail(mail)), mail.text).toMatchObject({ state: 'posted' })
  const { items } = (await messagesOf(into, ticket.id)) as { items: { text: string; author: object }[] }
  expect(items.slice(-3)).toMatchObject(
    ['Old mail, old mailbox.', 'Old mail, new mailbox.', 'New mail, old mailbox.'].map((text) => ({
      text,
      author: { id: into.user_id },
    })),
  )
  expect(await comes(test, rawMail({ from: from.email, text: 'Another matter.' }))).toMatchObject({
    state: 'posted',
  })
  const [last] = (await asOwner(test, 'select user_id from tickets order by id desc limit 1')) as object[]
  expect(must(last)).toEqual({ user_id: into.user_id })
})

it('K-05 a third person stays one, and undone, each account has its own mailbox again', async () => {
  const { from, into, ticket, to } = await merged()
  const other = await signedInCustomer(test)
  await comes(test, rawMail({ from: other.email, to, text: 'I am somebody else.' }))
  const { items } = bodyOf(await olivia.api.call(listHeldMails, { query: {} }), 200)
  expect(items.find(({ text }) => text === 'I am somebody else.')).toMatchObject({ reason: 'third_person' })
  await byCommand.unmergeByCommand(test.app, { user_id: from.user_id, reason: 'two' })
  expect(await comes(test, rawMail({ from: into.email, to, text: 'Not mine.' }))).toMatchObject({
    state: 'held',
  })
  expect(await comes(test, rawMail({ from: from.email, to, text: 'Mine.' }))).toMatchObject({
    state: 'posted',
  })
  expect(JSON.stringify(await messagesOf(olivia, ticket.id))).toContain('Mine.')
})
