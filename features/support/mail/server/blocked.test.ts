import { expect, it } from 'vitest'
import * as contract from '#features/support/mail/contract.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { comes, mailInSettings, rawMail } from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({ settings: mailInSettings })
const olivia = await signedInStaff(test)

it('K-05 the senders whom staff blocked are listed with who did it, and a block that is lifted lets their mails in again', async () => {
  const senders = ['eve@example.org', 'mallory@example.org']
  for (const from of senders) {
    const { id } = await comes(test, rawMail({ from }))
    const params = { mailId: id }
    bodyOf(await olivia.api.call(contract.decideHeldMail, { params, body: { act: 'block' } }), 200)
  }
  const list = async (query = {}) =>
    bodyOf(await olivia.api.call(contract.listBlockedSenders, { query }), 200)
  const all = await list()
  expect(all.items).toMatchObject(
    senders.toReversed().map((email) => ({ email, blocked_by: { id: olivia.user_id } })),
  )
  const first = await list({ limit: '1' })
  const next = await list({ limit: '1', cursor: must(first.next_cursor) })
  expect([...first.items, ...next.items]).toEqual(all.items)
  const lift = (email: string, who = olivia) => who.api.call(contract.unblockSender, { body: { email } })
  const anna = await signedInCustomer(test)
  expect((await lift('eve@example.org', anna)).status).toBe(403)
  expect(await comes(test, rawMail({ from: 'eve@example.org' }))).toMatchObject({ reason: 'blocked_sender' })
  expect((await lift('eve@example.org')).status).toBe(204)
  expect((await lift('eve@example.org')).body).toMatchObject(refusal(409, 'changed'))
  expect(await comes(test, rawMail({ from: 'eve@example.org' }))).toMatchObject({
    state: 'held',
    reason: 'stranger',
  })
  expect((await list()).items).toMatchObject([{ email: 'mallory@example.org' }])
  const [lifted] = await asOwner(test, `select detail from audit where act = 'mail.sender_unblocked'`)
  expect(lifted).toEqual({ detail: { by: olivia.user_id, from: 'eve@example.org' } })
})
