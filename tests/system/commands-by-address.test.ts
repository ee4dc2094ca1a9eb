import { expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import * as auth from '#features/auth/contract.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import * as profile from '#features/profile/contract.ts'
import { addressesOf, findAccountByEmail } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { password } from '#tests/contract/accounts.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app, client } = test
const surroundings = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const boss = 'boss@operator.example'

/** The other arguments of each command that takes an address. A new one must be added here, or this file fails. */
const further: Record<string, string[]> = {
  'create-staff': [],
  credit: ['19.90', 'as agreed'],
  'staff role': ['admin'],
  'staff revoke': [],
}

const takingAddress = Object.entries(commands).filter(([, { parameters }]) => parameters.includes('EMAIL'))

/** Runs a command as the operator's shell does: its output, and whether it failed. */
async function run(name: string, email: string): Promise<{ said: string; failed: boolean }> {
  try {
    const { lines, failed = false } = await must(commands[name]).run(
      surroundings,
      [email, ...must(further[name])],
      {},
    )
    return { said: lines.join('\n'), failed }
  } catch (error) {
    return { said: (error as Error).message, failed: true }
  }
}

it('rule 36: knows every command that takes an address', () => {
  expect(takingAddress.map(([name]) => name).toSorted()).toEqual(Object.keys(further).toSorted())
})

it('rule 36: merely claiming an address gives neither rights nor money by any command', async () => {
  const stranger = await signedInCustomer(test)
  await stranger.api.call(profile.addAddress, { body: { email: boss } })
  const pending = client()
  await pending.call(auth.signup, { body: { email: boss, password } })
  const strangers = await app.db.selectFrom('users').select('id').execute()

  const credited = await run('credit', ` ${boss.toUpperCase()} `)
  expect(credited.failed, 'the exit code says so, too').toBe(true)
  expect(credited.said).toContain('No account has confirmed the address')
  for (const name of ['staff role', 'staff revoke'])
    expect(await run(name, boss)).toEqual({
      said: `No account has confirmed the address '${boss}'. Nothing was changed.`,
      failed: true,
    })
  const made = await run('create-staff', boss)
  expect(made.failed).toBe(false)
  expect(made.said).toContain(
    '2 that claimed boss@operator.example, without having confirmed it, got no rights',
  )

  const staff = await findAccountByEmail(app.db, boss)
  expect(strangers.map(({ id }) => id)).not.toContain(staff?.user_id)
  for (const { id } of strangers) {
    expect(await findUser(app.db, id)).toMatchObject({ is_staff: false })
    expect(await balanceOf(app, app.db, id)).toBe(0n)
  }
  expect(await addressesOf(app.db, stranger.user_id)).toHaveLength(1)
  expect((await client().call(auth.login, { body: { email: boss, password } })).status).toBe(400)
})

it('rule 36: an account that has proven it gets what the command gives', async () => {
  const customer = await signedInCustomer(test)
  for (const [name] of takingAddress) expect(await run(name, customer.email)).toMatchObject({ failed: false })
  expect(await findUser(app.db, customer.user_id)).toMatchObject({ is_staff: false })
  await run('staff role', customer.email)
  expect(await findUser(app.db, customer.user_id)).toMatchObject({ staff_roles: ['admin'] })
  const { lines } = await must(commands['staff list']).run(surroundings, [], {})
  expect(lines.join('\n')).toContain(`${customer.email}: admin`)
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(19_90n)
})
