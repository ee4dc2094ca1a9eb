import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { listPayouts } from '#features/payouts/contract.ts'
import { must } from '#foundation/must.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test
const surroundings = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const run = async (name: string, parameters: string[] = [], options: Record<string, string> = {}) =>
  must(await must(commands[`payout ${name}`]).run(surroundings, parameters, options))
const folder = mkdtempSync(path.join(tmpdir(), 'payouts-'))
afterAll(() => rmSync(folder, { recursive: true }))
const IBAN = 'DE89 3704 0044 0532 0130 00'
const reason = 'By letter'

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
