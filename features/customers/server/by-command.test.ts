import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { exitCodeOf } from '#app/cli/exit-codes.ts'
import type { Options } from '#app/cli/options.ts'
import { setBlock } from '#features/customers/contract.ts'
import { listCustomerMails, sendMailAgain } from '#features/customers/mail-contract.ts'
import { must } from '#foundation/must.ts'
import { writeBilling } from '#features/invoices/server/billing-queries.ts'
import { insertAddress } from '#features/profile/server/profile.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser, setStaffRoles, updateUser } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
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
  await mails.about(email, /has been reset$/)
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

const note = mailTemplate('test_note', 'money', [{ word: '' }], ({ word }: { word: string }) => ({
  subject: `A note: ${word}`,
  paragraphs: [word],
}))
const invoice = { ...note, kind: 'invoice_issued' }

it('rule 30: lists the mails of a customer, and sends one again to the address of today, by page and by command', async () => {
  const staff = await signedInStaff(test, { roles: ['support', 'billing'] })
  const customer = await signedInCustomer(test)
  const { user_id, email } = customer
  const userId = user_id
  const attachments = [{ filename: 'a.pdf', type: 'application/pdf', content: Buffer.from('%PDF') }]
  const owe = (word: string, template = note) =>
    transaction(app, 'system', (tx) =>
      enqueueMail(app, tx, { user_id, to: email, locale: 'en', template, values: { word }, attachments }),
    )
  const list = async () =>
    bodyOf(await staff.api.call(listCustomerMails, { params: { userId }, query: {} }), 200).items
  const again = (mailId: string, of = userId) =>
    staff.api.call(sendMailAgain, { params: { userId: of, mailId } })
  const settled = (state: string) => expect.poll(async () => (await list())[0]?.state).toBe(state)

  const first = await owe('kiwi')
  const { text } = await mails.next(email)
  await settled('sent')
  const shown = { id: first, kind: 'test_note', subject: 'A note: kiwi', to: email, answer: '', attempts: 1 }
  expect(await list()).toMatchObject([{ ...shown, again_to: email, hindrance: null }])
  const now = `new-${email}`
  await transaction(app, 'system', (tx) => updateUser(tx, user_id, { email: now }))
  expect(await list()).toMatchObject([{ to: email, again_to: now }])
  expect((await again(first)).body).toEqual({ to: now })
  expect(await mails.next(now)).toMatchObject({
    subject: 'A note: kiwi',
    text,
    attachments: [{ filename: 'a.pdf' }],
  })
  expect(await lastAct(user_id)).toMatchObject({
    act: 'mail.sent_again',
    detail: { by: staff.user_id, mail_id: first, letter: 'test_note', to: now },
  })
  const other = await signedInCustomer(test)
  expect((await again(first, other.user_id)).status, 'a mail of somebody else').toBe(404)

  const body = { level: 'blocked', cause: 'terms', reason: 'x', message: 'Call us' } as const
  const admin = await signedInStaff(test, { roles: ['admin'] })
  await admin.api.call(setBlock, { params: { userId }, body })
  await settled('sent')
  const [secret] = await list()
  expect(secret).toMatchObject({ kind: 'account_blocked', again_to: null, hindrance: 'secret' })
  expect((await again(must(secret).id)).body).toMatchObject({ errors: [{ code: 'mail_secret' }] })

  mails.refuseWith(451, 'recipient')
  await owe('pear')
  await settled('refused')
  expect((await list())[0]).toMatchObject({ hindrance: 'waiting' })
  mails.refuseWith(550, 'recipient')
  const refused = await owe('melon', invoice)
  await settled('given_up')
  expect((await list())[0]).toMatchObject({ answer: expect.stringContaining('550'), hindrance: null })
  mails.refuseWith(undefined)
  // A final refusal suspends the address (decision 209), so the server is not asked again.
  await owe('plum')
  await settled('given_up')
  expect((await list())[0]).toMatchObject({
    answer: expect.stringContaining('came back'),
    again_to: now,
    hindrance: null,
  })
  await asOwner(
    test,
    `insert into suspended_addresses (address, user_id, reason) values ($1, $2, '550 no such mailbox')`,
    [now, user_id],
  )
  expect((await list())[0]).toMatchObject({ again_to: null, hindrance: 'suspended' })
  const sentNowhere = await again(must((await list())[0]).id)
  expect([sentNowhere.status, sentNowhere.body]).toMatchObject([
    409,
    { errors: [{ code: 'mail_suspended' }] },
  ])
  await asOwner(test, 'delete from suspended_addresses where address = $1', [now])
  const accounts = `accounts-${email}`
  await transaction(app, 'system', async (tx) => {
    await insertAddress(tx, { user_id, email: accounts, is_primary: false, verified: true })
    const details = { email: accounts, buyer_reference: '', order_reference: '', send_pdf: true }
    await writeBilling(tx, user_id, details)
  })
  const sent = await must(commands['mails again']).run(here, [refused], {})
  expect(sent.data).toEqual({ mail_id: refused, kind: 'invoice_issued', to: accounts })
  expect((await mails.next(accounts)).subject).toBe('A note: melon')
  const { lines } = await must(commands['mails list']).run(here, [userId], {})
  expect(lines.join('\n')).toContain(`given_up  invoice_issued  ${email}  A note: melon  550`)

  await asOwner(test, 'update mails set content = null where id = $1', [first])
  expect((await again(first)).body).toMatchObject({ errors: [{ code: 'mail_forgotten' }] })
  const codes: number[] = []
  while (codes.length < 9) codes.push((await again(refused)).status)
  expect(codes, 'ten an hour').toEqual([...Array.from({ length: 8 }, () => 200), 429])
})
