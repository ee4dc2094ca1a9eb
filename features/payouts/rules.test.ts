import { expect, it } from 'vitest'
import { isSepaIban, sepaText } from './rules.ts'

it('knows the countries and lengths of IBANs that SEPA reaches', () => {
  expect(['DE89370400440532013000', 'NO9386011117947', 'GB29NWBK60161331926819'].map(isSepaIban)).toEqual([
    true,
    true,
    true,
  ])
  // Brazil is no country of SEPA, and a German IBAN has 22 characters.
  expect(['BR1500000000000010932840814P2', 'DE893704004405320130001'].map(isSepaIban)).toEqual([false, false])
})

it.each([
  ['Jürgen Müller-Groß', 'Juergen Mueller-Gross'],
  ['Łucja  Ñandú & Søn', 'Lucja Nandu + Son'],
  ['Анна', undefined],
  ['Anna/', undefined],
  ['<Anna>', undefined],
])('writes %s as banks of SEPA read it', (typed, read) => {
  expect(sepaText(typed)).toBe(read)
})
