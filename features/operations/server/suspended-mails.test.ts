import { expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { exitCodeOf } from '#app/cli/exit-codes.ts'
import * as contract from '#features/operations/contract.ts'
import { must } from '#foundation/must.ts'
import { exitCodes } from '#foundation/exit-codes.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const here = {
  config: test.app.config,
  log: test.app.log,
  ownerUrl: test.app.ownerUrl,
  close: async () => {},
}
const retryByCommand = (id: string) => must(commands['mails retry']).run(here, [id], {})

// Mails to an address come back (decision 209): a mail that is sent again would be given up at once, so both ways to send it say so.
it('S-02 a mail to an address whose mails come back is not sent again, by page or command, until its owner asks; one of security is', async () => {
  const admin = await signedInStaff(test, { roles: ['admin'] })
  const { email, user_id } = await signedInCustomer(test)
  const given = async (sort: string) => {
    const [row] = (await asOwner(
      test,
      `insert into mails (to_address, letter, class, locale, content, state, attempts, last_error)
       values ($1, 'invoice', $2, 'en', 'sealed', 'dead', 8, '550 no such person') returning id`,
      [email, sort],
    )) as { id: string }[]
    return must(row).id
  }
  const [bulk, security] = [await given('bulk'), await given('security')]
  await asOwner(
    test,
    `insert into suspended_addresses (address, user_id, reason) values ($1, $2, '550 no such mailbox')`,
    [email, user_id],
  )
  const retry = (mailId: string) => admin.api.call(contract.retryDeadMail, { params: { mailId } })
  const stateOf = (id: string) =>
    asOwner(
      test,
      `select state, attempts, (select count(*)::int from jobs where key = 'mail:' || mails.id) as jobs from mails where id = $1`,
      [id],
    )
  expect(await retry(bulk)).toMatchObject({ status: 409, body: { errors: [{ code: 'mail_suspended' }] } })
  const refused = await retryByCommand(bulk).catch((error: unknown) => error)
  expect(exitCodeOf(refused)).toBe(exitCodes.refused)
  expect(String(refused)).toContain('Mails to this address come back.')
  expect(await stateOf(bulk), 'nothing was changed').toEqual([{ state: 'dead', attempts: 8, jobs: 0 }])
  expect(await asOwner(test, `select from audit where act = 'mail.retried'`)).toEqual([])

  expect((await retry(security)).status).toBe(204)
  expect(await stateOf(security)).toEqual([{ state: 'owed', attempts: 0, jobs: 1 }])
  await asOwner(test, 'delete from suspended_addresses where address = $1', [email])
  expect((await retryByCommand(bulk)).data).toEqual({ mail_id: bulk, name: 'invoice' })
  expect(await stateOf(bulk)).toEqual([{ state: 'owed', attempts: 0, jobs: 1 }])
})
