import { expect, it } from 'vitest'
import * as contract from '#features/profile/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { whoWantsMail } from './profile.ts'

const test = await startTestApp()

it('all mails but news are wanted until a user switches a kind off; each user has their own choice', async () => {
  const [one, other] = [await signedInCustomer(test), await signedInCustomer(test)]
  const all = { ticket_replies: true, ticket_closing: true, news: false }
  expect(await one.api.call(contract.getMailPreferences, {})).toMatchObject({ status: 200, body: all })
  const changed = await one.api.call(contract.changeMailPreferences, { body: { ticket_replies: false } })
  expect(changed.body).toEqual({ ...all, ticket_replies: false })
  await one.api.call(contract.changeMailPreferences, { body: { ticket_closing: false } })
  await one.api.call(contract.changeMailPreferences, { body: { ticket_replies: true } })
  expect((await one.api.call(contract.getMailPreferences, {})).body).toEqual({
    ...all,
    ticket_closing: false,
  })
  expect((await other.api.call(contract.getMailPreferences, {})).body).toEqual(all)
  const both = [one.user_id, other.user_id]
  expect(await whoWantsMail(test.app.db, both, 'ticket_closing')).toEqual([other.user_id])
  expect(await whoWantsMail(test.app.db, both, 'ticket_replies')).toEqual(both)
})

it('only staff can switch the mails about new tickets on or off', async () => {
  const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
  const body = { new_tickets: false }
  const refused = await customer.api.call(contract.changeMailPreferences, { body })
  expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: 'not_allowed' }] } })
  const changed = await staff.api.call(contract.changeMailPreferences, { body })
  expect(changed.body).toEqual({
    ticket_replies: true,
    ticket_closing: true,
    news: false,
    new_tickets: false,
  })
})

it('two simultaneous changes of different mail preferences do not undo each other', async () => {
  const { api } = await signedInCustomer(test)
  await Promise.all([
    api.call(contract.changeMailPreferences, { body: { ticket_replies: false } }),
    api.call(contract.changeMailPreferences, { body: { ticket_closing: false } }),
  ])
  const { body } = await api.call(contract.getMailPreferences, {})
  expect(body).toEqual({ ticket_replies: false, ticket_closing: false, news: false })
})

it('goes with the account', async () => {
  const { api, user_id } = await signedInCustomer(test)
  await api.call(contract.changeMailPreferences, { body: { ticket_replies: false } })
  expect((await api.call(contract.deactivate, { body: {} })).status).toBe(204)
  expect(
    await test.app.db.selectFrom('mail_preferences').selectAll().where('user_id', '=', user_id).execute(),
  ).toEqual([])
})
