import { describe, expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { scansIn } from '#tests/harness/scans.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { findPeople, updateProfileFields } from './profile.ts'

const test = await startTestApp()

async function person(fields: { name?: string; middle_name?: string; surname?: string }, email?: string) {
  const { user_id } = await signedInCustomer(test, email === undefined ? {} : { email })
  await transaction(test.app, 'system', (tx) => updateProfileFields(tx, user_id, fields))
  return user_id
}

const müller = await person({ name: 'Jürgen', surname: 'Großmüller' }, 'j_percent%x@quokka.example')
const petrova = await person({ name: 'Анна', middle_name: 'Ивановна', surname: 'Щукина' })
const claimed = 'claimed@quokka-claim.example'
await signedInCustomer(test, { email: claimed, verified: false })

describe('staff find people by a part of the name or of a proven address', () => {
  it.each([
    ['in the middle, in letters of another size', 'OSSMÜ'.replace('SS', 'ß'), [müller]],
    ['over the names', 'gen gro', [müller]],
    ['over the middle name', 'на ивановна щ', [petrova]],
    ['two letters', 'Щу', [petrova]],
    ['one letter', 'щ', [petrova]],
    ['a part of the address', '@quokka.ex', [müller]],
    ['a sign that stands for others in SQL', 't%x@', [müller]],
    ['another such sign', 'j_p', [müller]],
    ['such a sign that is not there', 'j%p', []],
    ['a backslash', String.raw`j\_p`, []],
    ['an address that is not proven', 'quokka-claim', []],
    ['letters in another order', 'akkouq', []],
    ['all parts, but not one after the other', 'quokkaquokka', []],
  ])('%s', async (_name, typed, found) => {
    expect(await findPeople(test.app.db, typed, 50)).toEqual(found)
  })

  it('returns no more than are wanted', async () => {
    expect(await findPeople(test.app.db, 'a', 1)).toHaveLength(1)
  })

  // Red while 50,000 customers cost two reads of whole tables for each search: 140 ms.
  it('reads no whole table', async () => {
    for (const typed of ['gen gro', 'щ', '@quokka.ex'])
      for (const table of ['profiles', 'email_addresses'])
        expect(await scansIn(test, table, (tx) => findPeople(tx, typed, 50))).toBe(0)
  })
})
