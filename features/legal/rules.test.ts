import { expect, it } from 'vitest'
import { acceptedTerms, termsToAccept } from './rules.ts'

const fields = (terms: string) => ({ text: (name: string) => (name === 'terms' ? terms : 'other') })

it('L-01 a form accepts the version of its box, and nothing where that is not ticked', () => {
  expect(acceptedTerms(fields('2026-11'))).toEqual({ terms: '2026-11' })
  expect(acceptedTerms(fields(''))).toEqual({})
})

it('L-01 a refusal for the terms names them, any other does not', () => {
  const named = { version: '2', url: 'https://nordic.example/terms' }
  expect(termsToAccept({ status: 409, errors: [], ...named })).toEqual({ current: named, accepted: null })
  for (const other of [undefined, null, {}, { plan: {} }]) expect(termsToAccept(other)).toBeUndefined()
})
