import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { must } from '#foundation/must.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { checkIn, tokenFor } from '#tests/harness/agents.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, bodyOf } from '#tests/harness/hosts.ts'
import { orderProgram, sellProgram } from '#tests/harness/programs.ts'
import { buyer, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

/** More than a list prints at once, twice. */
const MANY = 205

const test = await startTestApp()
const { app } = test
await stockShop(test)
await sellProgram(test)
const admin = await superuserOf(test)
afterAll(() => admin.end())
const surroundings = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const run = async (name: string, parameters: string[], options: Record<string, string | boolean> = {}) =>
  must(await must(commands[name]).run(surroundings, parameters, options))

const MORE = 'There are more: --all prints all of them.'

const { user_id, email, api } = await signedInCustomer(test)
await admin.query('begin')
await admin.query('set local session_replication_role = replica')
await admin.query(
  `insert into hosts (public_id, user_id, name, licence_key)
   select lpad(n::text, 22, 'H'), $1, 'web-' || n, lpad(n::text, 32, 'K') from generate_series(1, ${MANY}) n`,
  [user_id],
)
await admin.query(
  `insert into mails (user_id, to_address, letter, locale, state, class, created_at)
   select $1, $2, 'test', 'en', 'sent', 'transaction', now() - n * interval '1 minute' from generate_series(1, ${MANY}) n`,
  [user_id, email],
)
await admin.query(
  `insert into vouchers (code_hash, amount, currency, uses, note)
   select sha256(n::text::bytea), 500, 'EUR', 1, 'fair' from generate_series(1, ${MANY}) n`,
)
await admin.query('commit')

// This test failed while lists ended after 100 rows without a word, and nothing printed the others.
it.each([
  ['host list', [], 'hosts'],
  ['mails list', [email], 'mails'],
  ['voucher list', [], 'vouchers'],
])('%s says that there are more, and prints all by --all', async (name, parameters, rows) => {
  const some = await run(name, parameters)
  expect(some.lines).toHaveLength(101)
  expect(some.lines.at(-1)).toBe(MORE)
  expect(some.data).toMatchObject({ has_more: true })
  const all = await run(name, parameters, { all: true })
  expect(all.data).toMatchObject({ has_more: false })
  expect(all.lines).not.toContain(MORE)
  expect(new Set(all.lines).size).toBe(all.lines.length)
  expect((all.data as Record<string, unknown[]>)[rows]?.length).toBeGreaterThanOrEqual(MANY)
})

it('host list names the option that is wrong, and a plan that does not exist', async () => {
  const wrong = (options: Record<string, string>) => expect(run('host list', [], options)).rejects
  await wrong({ country: 'de' }).toThrow(
    new WrongUse('--country is a code of two capital letters, such as DE.'),
  )
  await wrong({ state: 'dead' }).toThrow(/^--state is alert, /)
  await wrong({ plan: 'no-such-plan' }).toThrow(
    new NotFound("There is no plan 'no-such-plan'. Run: plan list"),
  )
})

it('host list prints the address from which a wrong machine checks in', async () => {
  const { id } = await addHost(api, { name: 'moved', ipv4: '198.51.100.7' })
  await checkIn(test, await tokenFor(api, id))
  const { lines } = await run('host list', [], { state: 'wrong_machine' })
  expect(lines).toEqual([expect.stringContaining('runs at 127.0.0.1')])
})

it('host address says that a program has no addresses, and calls an unknown server alone missing', async () => {
  const customer = await buyer(test, 5000n)
  const { host } = bodyOf(await orderProgram(customer), 201)
  const moved = (id: string) => expect(run('host address', [id], { ipv4: '198.51.100.9' })).rejects
  await moved(host.id).toThrow(new Refused('A program has no addresses. Nothing was changed.'))
  await moved('nothing').toThrow(NotFound)
})
