import { expect, it } from 'vitest'
import type { Access } from '#foundation/contract.ts'
import { refusalOf } from './access.ts'

const nobody = { gone: false, is_recent: false }
const customer = { ...nobody, actor: { is_staff: false } }
const refusal = (access: Access, known: Parameters<typeof refusalOf>[1]) => refusalOf({ access }, known)

it('rule 20: asks for a fresh proof only of callers who may make the call at all', () => {
  expect(refusal({ who: 'customer', proof: 'recent' }, nobody)).toBe('not_authenticated')
  expect(refusal({ who: 'staff', proof: 'recent' }, customer)).toBe('not_allowed')
  expect(refusal({ who: 'customer', proof: 'recent' }, customer)).toBe('reauthentication_required')
  expect(refusal({ who: 'customer', proof: 'recent' }, { ...customer, is_recent: true })).toBeUndefined()
})

it('a call for anyone asks a signed-in caller for the proof, and nobody else', () => {
  expect(refusal({ who: 'anyone', proof: 'recent' }, nobody)).toBeUndefined()
  expect(refusal({ who: 'anyone', proof: 'recent' }, customer)).toBe('reauthentication_required')
})

it('a token that names nothing is reported by the account calls only, whatever their policy', () => {
  const gone = { ...nobody, gone: true }
  expect(refusalOf({ access: { who: 'anyone' }, style: 'auth' }, gone)).toBe('gone')
  expect(refusalOf({ access: { who: 'customer' }, style: 'product' }, gone)).toBe('not_authenticated')
})

it('a half-finished login may finish only what is asked of it', () => {
  expect(refusal({ who: 'pending' }, { ...nobody, pending: { stage: 'mfa_authenticate' } })).toBeUndefined()
  expect(refusal({ who: 'pending' }, { ...nobody, pending: { stage: 'verify_email' } })).toBe(
    'not_authenticated',
  )
})
