import { expect, it } from 'vitest'
import * as contract from '#features/support/mail/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { carriedIn, comes, mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: mailInSettings })
const olivia = await signedInStaff(test)
const forged = ['Authentication-Results: mx.example.com; dmarc=fail']

const held = async (id: string) =>
  must(
    bodyOf(await olivia.api.call(contract.listHeldMails, { query: {} }), 200).items.find(
      (mail) => mail.id === id,
    ),
  )
const block = (mailId: string) =>
  olivia.api.call(contract.decideHeldMail, { params: { mailId }, body: { act: 'block' } })

// Seen red: to block the sender of a forged mail dropped all that the customer wrote from then on, and nobody was told.
it('K-05 a mail with a customer’s address as its sender, forged or not, blocks nobody', async () => {
  const [anna, boris] = [await signedInCustomer(test), await signedInCustomer(test)]
  const ticket = await opened(anna)
  const { to } = await carriedIn(test, ticket.id, anna.user_id)
  const mails = [
    rawMail({ from: anna.email, to, text: 'It is me.', more: forged }),
    rawMail({ from: anna.email, text: 'A new question.', more: forged }),
    rawMail({ from: boris.email, to, text: 'I am another customer.' }),
  ]
  for (const mail of mails) {
    const { id } = await comes(test, mail)
    expect(await held(id)).toMatchObject({ can_block: false })
    expect((await block(id)).body).toMatchObject(refusal(409, 'sender_not_blockable'))
  }
  expect(await asOwner(test, 'select from blocked_senders')).toEqual([])
  const { id } = await comes(test, rawMail({ from: 'eve@example.org', text: 'Spam.' }))
  expect(await held(id)).toMatchObject({ can_block: true })
  // A forged mail says nothing of its sender, also where nobody has proven the address by now.
  await asOwner(test, 'update email_addresses set verified_at = null where email = $1', [anna.email])
  const [first] = (await asOwner(
    test,
    `select id from received_mails where state = 'held' and reason = 'forged' limit 1`,
  )) as { id: string }[]
  expect((await block(must(first).id)).body).toMatchObject(refusal(409, 'sender_not_blockable'))
})

it('K-05 an answer to the address of its own writer is posted, also if somebody blocked the sender before', async () => {
  const anna = await signedInCustomer(test)
  const ticket = await opened(anna)
  const { to } = await carriedIn(test, ticket.id, anna.user_id)
  await asOwner(test, 'insert into blocked_senders (address, blocked_by) values ($1, $2)', [
    anna.email,
    olivia.user_id,
  ])
  expect(await comes(test, rawMail({ from: anna.email, to, text: 'An answer.' }))).toMatchObject({
    state: 'posted',
  })
  // Without a proof in an address the block holds.
  expect(await comes(test, rawMail({ from: anna.email, text: 'A question.' }))).toMatchObject({
    reason: 'blocked_sender',
  })
})

// Seen red: the block kept the address as it was written, and what came in was compared in another form.
it('K-05 a block holds for each way to write the same address', async () => {
  for (const ways of [
    ['eve@xn--bcher-kva.example', 'Eve@BÜCHER.example', 'eve@bücher.example'],
    ['ｅve@example.org', 'ｅVE@example.org'],
  ]) {
    const { id } = await comes(test, rawMail({ from: `<${must(ways[0])}>` }))
    expect((await block(id)).status).toBe(200)
    for (const way of ways)
      expect(await comes(test, rawMail({ from: `<${way}>` })), way).toMatchObject({
        reason: 'blocked_sender',
      })
  }
})
