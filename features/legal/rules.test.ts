import { expect, it } from 'vitest'
import { acceptedTerms, termsToAccept } from './rules.ts'

const fields = (terms: string) => ({ text: (name: string) => (name === 'terms' ? terms : 'other') })

it('L-01 a form accepts the version of its box, and nothing where that is not ticked', () => {
  expect(acceptedTerms(fields('2026-11'))).toEqual({ terms: '2026-11' })
  expect(acceptedTerms(fields(''))).toEqual({})
})

it('L-01 reads the terms to accept from a refusal that names them, and none from any other refusal', () => {
  const named = { version: '2', url: 'https://nordic.example/terms' }
  expect(termsToAccept({ status: 409, errors: [], ...named })).toEqual({ current: named, accepted: null })
  for (const other of [undefined, null, {}, { plan: {} }]) expect(termsToAccept(other)).toBeUndefined()
})
