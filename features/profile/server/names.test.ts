import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { foldText, searchable } from '#foundation/search-text.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { scansIn } from '#tests/harness/scans.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { displayNames, findPeople, namedAccounts, updateProfileFields } from './profile.ts'

const test = await startTestApp()

async function person(fields: { name?: string; middle_name?: string; surname?: string }, email?: string) {
  const { user_id } = await signedInCustomer(test, email === undefined ? {} : { email })
  await transaction(test.app, 'system', (tx) => updateProfileFields(tx, user_id, fields))
  return user_id
}

const müller = await person({ name: 'Jürgen', surname: 'Großmüller' }, 'j_percent%x@quokka.example')
const petrova = await person({ name: 'Анна', middle_name: 'Ивановна', surname: 'Щукина' })
const obrien = await person({ name: 'Seán', surname: 'O\u2019Brien-Løvås' })
const turk = await person({ name: 'İpek', surname: 'Işık' })
const mueller = await person({ name: 'Zoe', surname: 'Kruegerstein' })
const ёлкин = await person({ name: 'Пётр', surname: 'Ёлкин' })
const claimed = 'claimed@quokka-claim.example'
await signedInCustomer(test, { email: claimed, verified: false })

it('O-05 a name of releases before is no link for others', async () => {
  const id = await person({ name: 'https://evil.example.com/a', surname: 'Müller' })
  const { of, ofStaff } = await displayNames(test.app, test.app.db, [id])
  const [named] = await namedAccounts(test.app.db, [id])
  for (const shown of [of(id), ofStaff(id), named]) expect(shown?.name).toBe('evil[.]example[.]com/a Müller')
})

describe('staff find people by a part of the name or of a proven address', () => {
  it.each([
    ['in the middle, in letters of another size', 'OSSMÜ'.replace('SS', 'ß'), [müller]],
    ['over the names', 'gen gro', [müller]],
    ['over the middle name', 'на ивановна щ', [petrova]],
    ['two letters', 'Щу', [petrova]],
    ['one letter', 'щ', [petrova]],
    // Seen red: each of these found nobody.
    ['ue for ü', 'juergen', [müller]],
    ['u for ü', 'jurgen', [müller]],
    ['ü for ue', 'krügerstein', [mueller]],
    ['u for ue', 'KRUGERST', [mueller]],
    ['e after o, as it is written', 'zoe', [mueller]],
    ['ss for ß', 'GROSSM', [müller]],
    ['decomposed letters', 'gro\u00dfmu\u0308ller', [müller]],
    ['the words in another order, with many blanks', 'großmüller  \u00a0 jürgen', [müller]],
    ['another apostrophe', "o'brien", [obrien]],
    ['an accent as apostrophe', 'O´Brien', [obrien]],
    ['no apostrophe', 'obrien', [obrien]],
    ['a blank for the apostrophe', 'sean o brien', [obrien]],
    ['no hyphen, no accents', 'brienlovas', [obrien]],
    ['another hyphen', 'brien\u2011lov\u00e5s', [obrien]],
    ['Turkish letters without dots', 'ipek isik', [turk]],
    ['Turkish capitals', 'IŞIK', [turk]],
    ['е for ё', 'елкин петр', [ёлкин]],
    ['a word that is not there', 'jürgen petrov', []],
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
    for (const typed of ['gen gro', 'щ', '@quokka.ex', 'großmüller juergen', "o'brien"])
      for (const table of ['profiles', 'email_addresses'])
        expect(await scansIn(test, table, (tx) => findPeople(tx, typed, 50))).toBe(0)
  })
})

it('rule 55: the database folds texts as pages do, letter by letter, and finds all their parts', async () => {
  const letters = fc.constantFrom(
    ..."aeouxAEOU ßẞæŒþıİIłøđðħςΣσäÖüéÈñçžŠČёЁйЙщЩέΏ'`´’‘ʼ′-‐‑–—−\u00ad\u200b\u00a0\u2003\u3000\t\n\u2028ａＢ１ﬁ①\u0308\u0301ğŞ%_\\@.가שא",
  )
  const texts = fc.sample(
    fc.array(letters, { maxLength: 12 }).map((parts) => parts.join('')),
    3000,
  )
  const { rows } = await sql<{
    text: string
    folded: string
    found: string
    parts: string[]
    of_name: string[]
  }>`
    select text, fold_text(text) as folded, searchable(text) as found, search_parts_of(text) as parts,
      tsvector_to_array(name_parts(text)) as of_name from unnest(${texts}::text[]) as text`.execute(
    test.app.db,
  )
  expect(rows).toHaveLength(texts.length)
  for (const { text, folded, found, parts, of_name } of rows) {
    expect([text, folded, found]).toEqual([text, foldText(text), searchable(text)])
    const places = [...searchable(text)].map((_letter, place, all) => all.slice(place, place + 3))
    const expected = places.flatMap((next) => next.map((_, size) => next.slice(0, size + 1).join('')))
    expect(new Set(parts)).toEqual(new Set(expected))
    expect(new Set(of_name)).toEqual(new Set(places.map((next) => next.join(''))))
  }
})
