import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { exitCodeOf } from '#app/cli/exit-codes.ts'
import type { Options } from '#app/cli/options.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser, setStaffRoles, updateUser } from '#foundation/server/session/session.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addMoney } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app, mails } = test
const here = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-customer-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (word: string, parameters: string[], options: Options = {}) =>
  must(commands[`customer ${word}`]).run(here, parameters, options)
const codeOf = (word: string, parameters: string[], options: Options = {}) =>
  run(word, parameters, options).then(() => 0, exitCodeOf)
const lastAct = async (user_id: string) => {
  const rows = app.db.selectFrom('audit').select(['act', 'detail']).where('user_id', '=', user_id)
  return (await rows.orderBy('id', 'desc').limit(1).execute())[0]
}

it('finds, blocks, locks, opens and signs out a customer, audited as the command line', async () => {
  const customer = await signedInCustomer(test)
  const { user_id, email } = customer
  expect((await run('find', [email])).lines[0]).toContain(`${user_id} ${email}: active, 0.00 EUR`)
  await run('block', [email], { cause: 'payment', message: 'Please call us', reason: 'Unpaid' })
  expect((await customer.api.get('/api/users/detail/')).body).toMatchObject({
    blocked: { message: 'Please call us' },
  })
  expect(await lastAct(user_id)).toMatchObject({
    act: 'customer.blocked',
    detail: { by: 'command line', cause: 'payment', reason: 'Unpaid' },
  })
  expect((await run('show', [user_id])).data).toMatchObject({ state: 'blocked', block: { by: null } })
  expect((await run('sessions', [user_id])).lines).toHaveLength(1)
  expect((await run('sessions', [email], { end: true })).data).toMatchObject({ ended: 1 })
  expect(await codeOf('lock', [email], { cause: 'whim' })).toBe(2)
  await run('lock', [email])
  expect((await run('unblock', [email])).data).toMatchObject({ state: 'open' })
  expect(await findUser(app.db, user_id)).toMatchObject({ access: 'open', has_password: false })
})

it('resets a lost factor after the wait, or at once with a mail; confirms an address', async () => {
  const { user_id, email } = await signedInCustomer(test)
  expect(await codeOf('reset-2fa', [email])).toBe(3)
  await transaction(app, 'system', (tx) => updateUser(tx, user_id, { factors: ['totp'] }))
  expect((await run('reset-2fa', [email])).data).toMatchObject({ done: false })
  expect(await codeOf('reset-2fa', [email]), 'one waits already').toBe(3)
  expect((await run('reset-2fa', [email], { now: true })).data).toMatchObject({ done: true })
  expect(await findUser(app.db, user_id)).toMatchObject({ factors: [], has_password: false })
  for (;;) if ((await mails.next(email)).subject?.endsWith('has been reset')) break
  const claimed = await signedInCustomer(test, { verified: false })
  expect(await codeOf('confirm-address', [claimed.email, claimed.email]), 'a claim names nobody').toBe(2)
  expect(await codeOf('confirm-address', [claimed.user_id, email])).toBe(4)
  await run('confirm-address', [claimed.user_id, claimed.email])
  expect((await run('find', [claimed.email])).lines[0]).toContain('active')
})

it('resets the lost factor of a member of staff, and only of one, by the command for staff', async () => {
  const { user_id, email } = await signedInCustomer(test)
  const reset = (now: boolean) => must(commands['staff reset-2fa']).run(here, [email], { now })
  await transaction(app, 'system', (tx) => updateUser(tx, user_id, { factors: ['totp'] }))
  await expect(reset(true)).rejects.toThrow('is not staff')
  expect(await findUser(app.db, user_id)).toMatchObject({ factors: ['totp'] })
  await transaction(app, 'system', (tx) => setStaffRoles(tx, user_id, ['support']))
  expect((await reset(false)).data).toMatchObject({ done: false })
  expect((await reset(true)).data).toMatchObject({ done: true })
  expect(await findUser(app.db, user_id)).toMatchObject({ factors: [], has_password: false })
  expect(await lastAct(user_id)).toMatchObject({ act: 'factor_reset.done' })
})

it('exports to a file that its owner alone reads, and erases with --yes only', async () => {
  const { user_id, email } = await signedInCustomer(test)
  const file = path.join(folder, 'data.zip')
  await run('export', [email, file])
  expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await codeOf('erase', [email])).toBe(2)
  await addMoney(app, user_id, 1n)
  expect(await codeOf('erase', [email], { yes: true })).toBe(3)
  const other = await signedInCustomer(test)
  await run('erase', [other.email], { yes: true, reason: 'By letter' })
  expect(await findUser(app.db, other.user_id)).toMatchObject({ is_active: false })
  expect(await lastAct(other.user_id)).toMatchObject({
    act: 'customer.erased',
    detail: { by: 'command line', reason: 'By letter' },
  })
  const member = await signedInCustomer(test)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, member.user_id, ['support']))
  expect(await codeOf('erase', [member.email], { yes: true }), 'roles are taken first').toBe(3)
  expect(await codeOf('find', ['nobody-of-this-name'])).toBe(4)
})
