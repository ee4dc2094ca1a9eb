import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { addressesOf } from '#features/profile/server/profile.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test

it('rule 37: an update gives every kept address its one form, so that its owner can go on signing in', async () => {
  const kept = {
    'ann@xn--bcher-kva.example': 'ann@bücher.example',
    'почта@xn--e1afmkfd.xn--p1ai': 'почта@пример.рф',
    'ａnna@example.com': 'anna@example.com',
    'bob@example.com': 'bob@example.com',
    'a@xn--a.example': 'a@xn--a.example',
  }
  const twin = await signedInCustomer(test, { email: 'zoe@xn--zo-gka.example' })
  await signedInCustomer(test, { email: 'zoe@zoö.example' })
  const customers = await Promise.all(Object.keys(kept).map((email) => signedInCustomer(test, { email })))
  const owner = await superuserOf(test)
  await owner.query(
    readFileSync(new URL('migrations/0034_one_form_of_addresses.sql', import.meta.url), 'utf8'),
  )
  await owner.end()
  for (const { user_id, email } of customers) {
    const expected = kept[email as keyof typeof kept]
    expect(await addressesOf(app.db, user_id)).toMatchObject([{ email: expected }])
    expect(await findUser(app.db, user_id)).toMatchObject({ email: expected })
  }
  expect(await addressesOf(app.db, twin.user_id), 'the other form is taken').toMatchObject([
    { email: 'zoe@xn--zo-gka.example' },
  ])
})
