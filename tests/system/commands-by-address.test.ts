import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { routes } from '#app/server/features.ts'
import { commands } from '#app/cli/commands.ts'
import * as auth from '#features/auth/contract.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import * as profile from '#features/profile/contract.ts'
import {
  addressesOf,
  findAccountByProvenEmail,
  updateProfileFields,
} from '#features/profile/server/profile.ts'
import { offerForCustomer } from '#features/hosts/contract.ts'
import { changeCompany } from '#features/operations/company-contract.ts'
import { unblockSender } from '#features/support/mail/contract.ts'
import { acceptInvitation, createInvitation } from '#features/team/contract.ts'
import type { Route } from '#foundation/contract.ts'
import { hasLink } from '#foundation/link-like.ts'
import { must } from '#foundation/must.ts'
import { insertApproval } from '#foundation/server/approvals/queries.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { findUser, setStaffRoles } from '#foundation/server/session/session.ts'
import { keyIn, makeAccount, password } from '#tests/contract/accounts.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import type { Client } from '#tests/harness/client.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addHost, asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { mailsToStrangers, mailAll } from './mails-to-strangers.ts'
import { walk, walks } from './unknown-address.ts'

const test = await startTestApp({ settings: { TRUSTED_PROXIES: '1' } })
const { app, client } = test
const surroundings = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const boss = 'boss@operator.example'

/** A value for each further parameter of the commands that take an address. A new one must be added here, or this file fails. */
const values: Record<string, string> = {
  AMOUNT: '19.90',
  FILE: 'never-written.zip',
  HOLDER: 'Anna Example',
  IBAN: 'DE89370400440532013000',
  INTO: boss,
  MEGABYTES: '100',
  REASON: 'as agreed',
  ROLES: 'admin',
  TOP_UP: 'A'.repeat(22),
  TRANSACTION: randomUUID(),
}

const takingAddress = Object.keys(commands).filter((name) =>
  must(commands[name]).parameters.some((parameter) => ['EMAIL', 'CUSTOMER'].includes(parameter)),
)

/** Runs a command as the shell of the operator does. Returns its output, and true as `failed` if it failed. */
async function run(name: string, email: string): Promise<{ said: string; failed: boolean }> {
  try {
    const command = must(commands[name])
    const further = command.parameters.slice(1).map((parameter) => must(values[parameter]))
    const { lines, failed = false } = await command.run(surroundings, [email, ...further], {
      yes: true,
      reason: 'as agreed',
    })
    return { said: lines.join('\n'), failed }
  } catch (error) {
    return { said: (error as Error).message, failed: true }
  }
}

it('rule 36: merely claiming an address gives neither rights nor money by any command', async () => {
  const stranger = await signedInCustomer(test)
  await stranger.api.call(profile.addAddress, { body: { email: boss } })
  const pending = client()
  await pending.call(auth.signup, { body: { email: boss, password } })
  const strangers = await app.db.selectFrom('users').select('id').execute()

  const credited = await run('credit', ` ${boss.toUpperCase()} `)
  expect(credited.failed, 'the exit code says so, too').toBe(true)
  expect(credited.said).toContain('No account has confirmed the address')
  expect(takingAddress.length, 'the loop below runs').toBeGreaterThan(10)
  for (const name of takingAddress.filter((one) => one !== 'credit' && one !== 'create-staff'))
    expect(await run(name, boss)).toEqual({
      said: `No account has confirmed the address '${boss}'. Nothing was changed.`,
      failed: true,
    })
  const made = await run('create-staff', boss)
  expect(made).toEqual({ said: `Nobody has proven ${boss}. An invitation is on its way.`, failed: false })

  expect(await findAccountByProvenEmail(app.db, boss), 'nothing proves an address but its mailbox').toBe(
    undefined,
  )
  for (const { id } of strangers) {
    expect(await findUser(app.db, id)).toMatchObject({ is_staff: false })
    expect(await balanceOf(app, app.db, id)).toBe(0n)
  }
  expect(await addressesOf(app.db, stranger.user_id), 'nobody loses a claim').toHaveLength(2)
})

/** The calls of staff that take an address, with their other input. A new call must be added here, or this file fails. */
const calls: Record<string, (by: Client, email: string) => Promise<{ status: number; body?: unknown }>> = {
  changeCompany: (by, email) =>
    by.call(changeCompany, {
      body: {
        name: 'Example GmbH',
        street: 'Musterweg 2',
        zip: '10115',
        city: 'Berlin',
        country: 'DE',
        vat_id: 'DE123456788',
        email,
      },
    }),
  createInvitation: (by, email) => by.call(createInvitation, { body: { email, roles: ['owner'] } }),
  offerForCustomer: async (by, email) => {
    const { id: hostId } = await addHost((await signedInCustomer(test)).api, {})
    return by.call(offerForCustomer, { params: { hostId }, body: { email, note: 'Asked by phone' } })
  },
  unblockSender: async (by, email) => {
    await asOwner(test, 'insert into blocked_senders (address) values ($1)', [email])
    return by.call(unblockSender, { body: { email } })
  },
}

it('rule 36: knows every call of staff that takes an address', () => {
  const taking = routes
    .map(({ contract }) => contract)
    .filter(({ access }) => access.who === 'staff')
    // A call that names its customer by an id takes an address only to check that it is the same customer.
    .filter(({ path }) => !path.includes('{userId}'))
    .filter((contract) => fieldsOf(contract).some((field) => /e_?mail/.test(field)))
  expect(taking.map(({ id }) => id).toSorted()).toEqual(Object.keys(calls).toSorted())
})

it('rule 36: merely claiming an address gives neither rights nor money by any call of staff', async () => {
  const claimed = anyEmail()
  const owner = await signedInCustomer(test)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, owner.user_id, ['owner']))
  const stranger = await signedInCustomer(test)
  await stranger.api.call(profile.addAddress, { body: { email: claimed } })
  const unproven = await signedInCustomer(test, { email: claimed, verified: false })
  for (const call of Object.values(calls)) expect((await call(owner.api, claimed)).status).toBeLessThan(300)
  // A search by address finds the account itself, marked as unconfirmed; the account of the mere claimant is not found by it.
  const found = await owner.api.get<{ items: { id: string; state: string }[] }>(
    `/api/staff/customers/?q=${encodeURIComponent(claimed)}`,
  )
  expect(found.body.items).toMatchObject([{ id: unproven.user_id, state: 'unconfirmed' }])
  const key = keyIn((await test.mails.about(claimed, 'invite=')).text, 'invite')
  for (const { user_id, api } of [stranger, unproven]) {
    expect((await api.call(acceptInvitation, { body: { key } })).status).toBe(409)
    expect(await findUser(app.db, user_id)).toMatchObject({ is_staff: false })
    expect(await balanceOf(app, app.db, user_id)).toBe(0n)
  }
})

it('A-14 walks by every call of strangers and customers that takes an address of somebody', () => {
  const taking = routes
    .map(({ contract }) => contract)
    .filter(({ access }) => access.who !== 'staff')
    .filter((contract) => fieldsOf(contract).includes('email'))
    // They take the caller's own address: to delete the account, to print on its invoices, and to write to it again.
    .filter(({ id }) => !['deactivate', 'saveBilling', 'retryAddress'].includes(id))
  const walked = Object.values(walks).flatMap(({ steps }) => steps('', '').map(([call]) => call.id))
  expect(taking.map(({ id }) => id).filter((id) => !walked.includes(id))).toEqual([])
})

for (const [name, way] of Object.entries(walks))
  it(`A-14 ${name}: reads the same for an address of a customer and for an unknown one`, async () => {
    const { email } = await makeAccount(app)
    const known = await walk(test, way, email)
    expect(known).toEqual(await walk(test, way, anyEmail()))
  })

it('O-05, A-14 no name of a person or a server reaches a stranger as a link, and no subject of a mail to one holds words of others', async () => {
  const email = anyEmail()
  const author = await signedInCustomer(test)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, author.user_id, ['owner']))
  // Releases before stored such names.
  const name = {
    name: 'https://evil.example.com/a',
    surname: 'www.evil.example',
    middle_name: 'Evil.com now',
  }
  await transaction(app, 'system', (tx) => updateProfileFields(tx, author.user_id, name))
  const refused = await author.api.call(profile.updateProfile, { body: { surname: 'evil.example.com' } })
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'link_in_name', param: 'surname' }] },
  })
  await mailAll(app, author, email)
  const sent = await app.db.selectFrom('mails').select('letter').where('to_address', '=', email).execute()
  const kinds = [...new Set(sent.map(({ letter }) => letter))].toSorted()
  expect(kinds).toEqual(mailsToStrangers().toSorted())
  for (const _ of sent) {
    const { subject = '', text = '' } = await test.mails.next(email)
    expect(subject).not.toMatch(/evil/i)
    const ours = text.replaceAll(/https?:\/\/[\w.:]+\/account\/\S*/g, '')
    expect(ours.split('\n').filter(hasLink)).toEqual([])
  }
})

/** The names of all fields that a call takes. */
const fieldsOf = ({ params, query, body }: Route): string[] =>
  [params, query, body].flatMap((schema) =>
    Object.keys((schema as { shape?: object } | undefined)?.shape ?? {}),
  )

it('rule 36: an account that has proven it gets what the command gives', async () => {
  const customer = await signedInCustomer(test)
  const giving = takingAddress.filter(
    (name) => !/^(auto-top-up |customer |payout |refund|charge-back|staff reset)/.test(name),
  )
  for (const name of giving) expect(await run(name, customer.email)).toMatchObject({ failed: false })
  expect(await findUser(app.db, customer.user_id)).toMatchObject({ is_staff: false })
  expect(await run('create-staff', customer.email)).toEqual({
    said: `${customer.email} is support, billing now.`,
    failed: false,
  })
  await run('staff role', customer.email)
  expect(await findUser(app.db, customer.user_id)).toMatchObject({ staff_roles: ['admin'] })
  const { lines } = await must(commands['staff list']).run(surroundings, [], {})
  expect(lines.join('\n')).toContain(`${customer.email}: admin`)
  expect(await balanceOf(app, app.db, customer.user_id)).toBe(19_90n)
})

it('rule 63: credit above an owner’s allowance is mailed to all owners; what waits is listed', async () => {
  const [customer, owner] = [await signedInCustomer(test), await signedInCustomer(test)]
  await must(commands['staff role']).run(surroundings, [owner.email, 'owner'], {})
  const credit = (amount: string) =>
    must(commands['credit']).run(surroundings, [customer.email, amount, 'as agreed'], {})
  await credit('1000')
  await credit('1000.01')
  const mailed = await app.db
    .selectFrom('mails')
    .select('to_address')
    .where('letter', '=', 'money_alone')
    .where('to_address', '=', owner.email)
    .execute()
  expect(mailed).toEqual([{ to_address: owner.email }])
  await insertWaiting(customer.user_id, owner.user_id)
  const { lines } = await must(commands['approval list']).run(surroundings, [], {})
  expect(lines.join('\n')).toContain(
    `finance.credit 120.00 EUR for ${customer.email}, asked by ${owner.email}`,
  )
})

const insertWaiting = (customer_id: string, proposed_by: string) =>
  transaction(app, 'system', (tx) =>
    insertApproval(tx, {
      act: 'finance.credit',
      customer_id,
      amount: 120_00n,
      input: {},
      why: 'allowance',
      links: [],
      reason: 'Outage',
      proposed_by,
    }),
  )
