import { expect, it } from 'vitest'
import * as contract from '#features/profile/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { addressesOf, findAccountByProvenEmail, sendVerification, verifyAddress } from './profile.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app, mails } = test
const strict = { ...app, config: { ...app.config, rateLimitScale: 1 } }

const ip = '127.0.0.1'
const verify = (key: string) => transaction(app, 'system', (tx) => verifyAddress(app, tx, key))
const keyIn = (text = '') => new URL(/http:\S+/.exec(text)?.[0] ?? 'none:').searchParams.get('verify') ?? ''

it('rule 17: when one verification key is used 100 times at once, exactly one use proves the address', async () => {
  const { address, email } = await signedInCustomer(test, { verified: false })
  await transaction(app, 'system', (tx) => sendVerification(app, tx, address, { ip }))
  const key = keyIn((await mails.next(email)).text)
  const tries = await Promise.allSettled(Array.from({ length: 100 }, () => verify(key)))
  const refused = tries
    .filter((attempt) => attempt.status === 'rejected')
    .map((attempt) => attempt.reason as unknown)
  expect(refused).toHaveLength(99)
  for (const reason of refused) expect(reason).toMatchObject({ errors: [{ code: 'invalid_or_expired_key' }] })
})

it('rule 17: of two accounts that claim one address, one proves it, however often they try at once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const email = anyEmail()
    const keys: string[] = []
    for (let claim = 0; claim < 2; claim += 1) {
      const { address } = await signedInCustomer(test, { email, verified: false })
      await transaction(app, 'system', (tx) => sendVerification(app, tx, address, { ip }))
      keys.push(keyIn((await mails.next(email)).text))
    }
    const tries = await Promise.allSettled(keys.map((key) => verify(key)))
    const refused = tries.filter((attempt) => attempt.status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(refused[0]?.reason).toMatchObject({ errors: [{ code: 'invalid_or_expired_key' }] })
  }
})

it('of 20 concurrent requests, one sends the mail', async () => {
  const { address } = await signedInCustomer(test, { verified: false })
  const asked = Array.from({ length: 20 }, () =>
    transaction(app, 'system', (tx) => sendVerification(strict, tx, address, { ip })),
  )
  expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
})

it('counts no mail that was rolled back', async () => {
  const { address } = await signedInCustomer(test, { verified: false })
  const failed = transaction(app, 'system', async (tx) => {
    await sendVerification(strict, tx, address, { ip })
    throw new Error('after all not')
  })
  await expect(failed).rejects.toThrow('after all not')
  expect(await transaction(app, 'system', (tx) => sendVerification(strict, tx, address, { ip }))).toBe(true)
})

it('writes the mail in the language of its reader', async () => {
  const { address, email } = await signedInCustomer(test, { verified: false, locale: 'de' })
  await transaction(app, 'system', (tx) => sendVerification(app, tx, address, { ip }))
  expect((await mails.next(email)).subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse')
})

it('rule 36: finds the account of an address by proof alone', async () => {
  const email = anyEmail()
  expect(await findAccountByProvenEmail(app.db, email)).toBeUndefined()
  const side = await signedInCustomer(test)
  await side.api.call(contract.addAddress, { body: { email } })
  expect(await findAccountByProvenEmail(app.db, email)).toBeUndefined()
  await signedInCustomer(test, { email, verified: false })
  expect(await findAccountByProvenEmail(app.db, email)).toBeUndefined()
  const proven = await signedInCustomer(test, { email, verified: true })
  expect(await findAccountByProvenEmail(app.db, email)).toMatchObject({
    user_id: proven.user_id,
    verified: true,
  })
})

it('40 changes of the primary address at once leave one primary address, and the account named after it', async () => {
  const { api, user_id } = await signedInCustomer(test)
  const emails = Array.from({ length: 4 }, () => anyEmail())
  for (const email of emails) {
    await api.call(contract.addAddress, { body: { email } })
    await verify(keyIn((await mails.next(email)).text))
  }
  const changes = Array.from({ length: 40 }, (_, place) =>
    api.call(contract.makePrimary, { body: { email: emails[place % 4] ?? '', primary: true } }),
  )
  for (const { status } of await Promise.all(changes)) expect(status).toBe(200)
  const primary = (await addressesOf(app.db, user_id)).filter((address) => address.is_primary)
  expect(primary).toHaveLength(1)
  expect((await api.call(contract.getProfile, {})).body).toMatchObject({ email: primary[0]?.email })
})
