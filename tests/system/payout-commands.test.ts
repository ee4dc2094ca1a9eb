import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { exitCodeOf } from '#app/cli/exit-codes.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { listTransactions, startTopUp } from '#features/finance/contract.ts'
import { listPayouts } from '#features/payouts/contract.ts'
import { exitCodes, type ExitCode } from '#foundation/exit-codes.ts'
import { must } from '#foundation/must.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { callAsMollie, MOLLIE_KEY, startMollieServer } from '#tests/harness/mollie-server.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const mollie = await startMollieServer()
afterAll(() => mollie.close())
const test = await startTestApp({
  settings: { MOLLIE_API_KEY: MOLLIE_KEY, MOLLIE_API_ORIGIN: mollie.origin },
})
const { app } = test
const surroundings = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const run = async (name: string, parameters: string[] = [], options: Record<string, string> = {}) =>
  must(await must(commands[`payout ${name}`]).run(surroundings, parameters, options))
const folder = mkdtempSync(path.join(tmpdir(), 'payouts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const IBAN = 'DE89 3704 0044 0532 0130 00'
const reason = 'By letter'
const failsWith = (code: ExitCode, words: string | RegExp) => async (run: Promise<unknown>) => {
  const error = await run.then(
    () => new Error('It was done.'),
    (thrown: unknown) => thrown as Error,
  )
  expect(error.message).toMatch(words)
  expect(exitCodeOf(error)).toBe(code)
}

it('rule 61: hostdesk payout makes, lists, files, sends and takes back payouts, each once, and pays no gift out', async () => {
  const customer = await signedInCustomer(test)
  const { user_id, email } = customer
  const balance = () => balanceOf(app, app.db, user_id)
  await addMoney(app, user_id, 20_00n)
  const description = { code: 'voucher', params: {} } as const
  await move(app, { type: 'fill_balance_voucher', user_id, amount: 5_00n, description })
  const make = (amount: string, more: Record<string, string> = {}, account = IBAN, holder = 'Anna Berger') =>
    run('make', [email, amount, account, holder], { reason, ...more })
  await expect(make('20.01')).rejects.toThrow(Refused)
  await expect(make('1.00', {}, 'DE89 3704 0044 0532 0130 01')).rejects.toThrow('This is no IBAN.')
  await expect(run('make', [email, '1.00', IBAN, 'Anna'])).rejects.toThrow(WrongUse)
  expect(await balance()).toBe(25_00n)
  // Repeated with its key, it answers as before and pays nothing twice.
  const [one, again] = [
    await make('7.00', { idempotencyKey: 'letter-1' }),
    await make('7.00', { idempotencyKey: 'letter-1' }),
  ]
  expect(again).toEqual(one)
  const two = await make('3.00')
  expect(await balance()).toBe(15_00n)
  const referenceOf = ({ data }: { data?: unknown }) => (data as { reference: string }).reference
  const listed = async (state?: string) =>
    (await run('list', [], state === undefined ? {} : { state })).lines.join('\n')
  for (const made of [one, two]) expect(await listed()).toContain(`${referenceOf(made)}  `)
  expect(await listed('sent')).toBe('No payout is sent.')
  await expect(listed('gone')).rejects.toThrow(WrongUse)

  const target = path.join(folder, 'sepa.xml')
  expect((await run('file', [target])).lines[0]).toMatch(/^Wrote 2 payouts to /)
  expect(statSync(target).mode & 0o777).toBe(0o600)
  const xml = readFileSync(target, 'utf8')
  expect(xml).toContain('<CtrlSum>10.00</CtrlSum>')
  for (const made of [one, two]) expect(xml).toContain(`<EndToEndId>${referenceOf(made)}</EndToEndId>`)
  await expect(run('file', [path.join(folder, 'more.xml')])).rejects.toThrow('No payout waits for a file.')

  await run('sent', [referenceOf(one).toLowerCase()])
  await expect(run('sent', [referenceOf(one)])).rejects.toThrow(Refused)
  await expect(run('sent', ['PO-0000000000'])).rejects.toThrow(NotFound)
  await expect(run('returned', [referenceOf(two)])).rejects.toThrow(WrongUse)
  expect(await balance()).toBe(15_00n)
  for (const [made, left] of [
    [two, 18_00n],
    [one, 25_00n],
  ] as const) {
    expect((await run('returned', [referenceOf(made)], { reason: 'No such account' })).data).toMatchObject({
      reference: referenceOf(made),
    })
    await expect(run('returned', [referenceOf(made)], { reason })).rejects.toThrow(Refused)
    expect(await balance()).toBe(left)
  }
  const { items } = bodyOf(await customer.api.call(listPayouts, { query: {} }), 200)
  expect(items.map(({ state, failure }) => [state, failure])).toEqual([
    ['failed', 'No such account'],
    ['returned', 'No such account'],
  ])
  const acts = await asOwner(
    test,
    `select act, count(*)::int from audit where user_id = $1 and act like 'payouts.%' group by 1 order by 1`,
    [user_id],
  )
  expect(acts).toEqual([
    { act: 'payouts.requested', count: 2 },
    { act: 'payouts.returned', count: 2 },
    { act: 'payouts.sent', count: 1 },
  ])
})

it('rule 61: hostdesk payout refund gives a payment back to its source, all that may leave or a part, and says why not', async () => {
  const customer = await signedInCustomer(test)
  const { user_id, email, api } = customer
  const balance = () => balanceOf(app, app.db, user_id)
  const headers = { 'idempotency-key': randomUUID() }
  bodyOf(await api.call(startTopUp, { headers, body: { amount: '2500', provider: 'mollie' } }), 201)
  const payment = must([...mollie.payments.values()].at(-1))
  payment.status = 'paid'
  await callAsMollie(test.url, payment)
  const transactions = async () => bodyOf(await api.call(listTransactions, { query: {} }), 200).items
  const [paid] = await transactions()
  const { id } = must(paid)
  const refund = (given: string[], options: Record<string, string> = { reason }) =>
    run('refund', given, options)
  await failsWith(exitCodes.usage, /by --reason/)(refund([email, id], {}))
  await failsWith(exitCodes.usage, /no amount of EUR/)(refund([email, id], { reason, amount: '0' }))
  await failsWith(exitCodes.usage, /no amount of EUR/)(refund([email, id], { reason, amount: '1.999' }))
  await failsWith(
    exitCodes.notFound,
    /^No account has confirmed the address/,
  )(refund(['nobody@example.org', id]))
  for (const unknown of ['none', randomUUID()])
    await failsWith(
      exitCodes.notFound,
      'There is no such payout, customer or payment.',
    )(refund([email, unknown]))
  const tooMuch = 'So much cannot leave this balance, or not this way. Nothing was changed.'
  await failsWith(exitCodes.refused, tooMuch)(refund([email, id], { reason, amount: '25.01' }))
  expect(await balance()).toBe(25_00n)
  const once = { reason, amount: '10.00', idempotencyKey: 'letter-2' }
  const [one, again] = [await refund([email, id], once), await refund([email, id], once)]
  expect(again).toEqual(one)
  expect(one.lines.join()).toMatch(/^10\.00 EUR has left the balance of .*: payout PO-[0-9A-F]{10}\.$/)
  await failsWith(
    exitCodes.refused,
    /key was used for another command/,
  )(refund([email, id], { ...once, amount: '9.00' }))
  const { reference } = one.data as { reference: string }
  // A payout to a source is ended by its provider alone.
  const notByHand = /has ended already, or only its provider can end it/
  await failsWith(exitCodes.refused, notByHand)(run('sent', [reference]))
  await failsWith(exitCodes.refused, notByHand)(run('returned', [reference], { reason }))
  expect(await refund([email, id])).toMatchObject({ data: { amount: '15.00' } })
  await failsWith(exitCodes.refused, tooMuch)(refund([email, id]))
  expect(await balance()).toBe(0n)
  // A voucher never goes to a card, and a payout is no payment.
  const description = { code: 'voucher', params: {} } as const
  await move(app, { type: 'fill_balance_voucher', user_id, amount: 5_00n, description })
  const ways = (await transactions()).filter((other) => other.id !== id)
  for (const other of ways)
    await expect(refund([email, other.id])).rejects.toThrow(
      /no such payout, customer or payment|not this way/,
    )
  expect(await balance()).toBe(5_00n)
})

it('hostdesk reads nothing of anybody out whose file is there already or cannot be written, and writes a whole one', async () => {
  const { email } = await signedInCustomer(test)
  const taken = path.join(folder, 'taken.zip')
  const exported = async () => (await asOwner(test, `select from audit where act like '%export%'`)).length
  const ways: [string, (file: string) => string[], Record<string, string>][] = [
    ['customer export', (file) => [email, file], { reason }],
    ['announcement news-readers', (file) => [file], {}],
    ['invoice export', (file) => [file], { from: '2026-01-01', to: '2026-01-31' }],
  ]
  for (const [name, given, options] of ways) {
    const to = (file: string) => must(commands[name]).run(surroundings, given(file), options)
    const file = path.join(folder, `${name}.new`)
    await to(file)
    const before = await exported()
    const bytes = readFileSync(file)
    expect(bytes.length).toBeGreaterThan(name === 'customer export' ? 1000 : 10)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await failsWith(exitCodes.usage, /is there already/)(to(file))
    await failsWith(exitCodes.usage, /cannot be written/)(to(path.join(folder, 'no', 'x')))
    expect(readFileSync(file).equals(bytes)).toBe(true)
    expect(await exported()).toBe(before)
    expect(before).toBeGreaterThan(0)
  }
  expect(existsSync(taken)).toBe(false)
  await failsWith(
    exitCodes.notFound,
    /./,
  )(
    Promise.resolve(
      must(commands['customer export']).run(surroundings, ['nobody@example.com', taken], { reason }),
    ),
  )
  expect(existsSync(taken)).toBe(false)
})

// Seen red: the half of the file stayed, and the next run failed because of it.
it('hostdesk invoice export leaves no half of a file behind where it fails, and writes it once the cause is gone', async () => {
  const half = path.join(folder, 'half.csv')
  const to = () =>
    must(commands['invoice export']).run(surroundings, [half], { from: '2026-01-01', to: '2026-01-31' })
  await asOwner(test, 'alter table invoices rename to invoices_away')
  await failsWith(exitCodes.failed, /invoices/)(to())
  await asOwner(test, 'alter table invoices_away rename to invoices')
  expect(existsSync(half)).toBe(false)
  expect(must(await to()).lines[0]).toMatch(/^Wrote 0 rows, /)
  expect(statSync(half).mode & 0o777).toBe(0o600)
})

it('hostdesk payout file names a file that can be written before any payout is put into one', async () => {
  const customer = await signedInCustomer(test)
  await addMoney(app, customer.user_id, 9_00n)
  await run('make', [customer.email, '9.00', IBAN, 'Anna Berger'], { reason })
  const [taken, free] = [path.join(folder, 'taken.xml'), path.join(folder, 'free.xml')]
  await run('list')
  expect((await run('file', [taken])).lines[0]).toMatch(/^Wrote 1 payouts? to /)
  await addMoney(app, customer.user_id, 4_00n)
  await run('make', [customer.email, '4.00', IBAN, 'Anna Berger'], { reason })
  const before = readFileSync(taken, 'utf8')
  await failsWith(exitCodes.usage, /taken\.xml is there already/)(run('file', [taken]))
  await failsWith(exitCodes.usage, /cannot be written/)(run('file', [path.join(folder, 'no', 'x.xml')]))
  expect(readFileSync(taken, 'utf8')).toBe(before)
  expect((await run('file', [free])).lines[0]).toMatch(/^Wrote 1 payouts? to /)
  await failsWith(
    exitCodes.refused,
    'No payout waits for a file.',
  )(run('file', [path.join(folder, 'none.xml')]))
  expect(existsSync(path.join(folder, 'none.xml'))).toBe(false)
})
