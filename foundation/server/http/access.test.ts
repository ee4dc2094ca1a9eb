import { expect, it } from 'vitest'
import { permission, staff } from '#foundation/roles.ts'
import type { Access } from '#foundation/contract.ts'
import { refusalOf, refusalOfKind } from './access.ts'

const nobody = { gone: false, in_staff_network: true, is_recent: false, asks_factor: false }
const customer = { ...nobody, actor: { staff_roles: [], factor: null, access: 'open' as const } }
const credit = permission('test.credit', ['billing'], { proof: 'recent' })
const billing = { staff_roles: ['billing'], factor: 'proven', access: 'open' } as const
const refusal = (access: Access, known: Parameters<typeof refusalOf>[1]) => refusalOf({ access }, known)

it('rule 20: asks for a fresh proof only of callers who may make the call at all', () => {
  expect(refusal({ who: 'customer', proof: 'recent' }, nobody)).toBe('not_authenticated')
  expect(refusal(staff(credit), customer)).toBe('not_allowed')
  expect(refusal({ who: 'customer', proof: 'recent' }, customer)).toBe('reauthentication_required')
  expect(refusal({ who: 'customer', proof: 'recent' }, { ...customer, asks_factor: true })).toBe(
    'code_required',
  )
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

it('a blocked customer may not make calls that buy, and all others, before any proof is asked for', () => {
  const known = { ...customer, actor: { ...customer.actor, access: 'blocked' as const } }
  const buys = { who: 'customer', whileBlocked: 'refused' } as const
  expect(refusal(buys, customer)).toBeUndefined()
  expect(refusal(buys, known)).toBe('account_blocked')
  expect(refusal({ ...buys, proof: 'recent' }, known)).toBe('account_blocked')
  expect(refusal({ who: 'customer', whileBlocked: 'allowed' }, known)).toBeUndefined()
  expect(refusal({ who: 'customer' }, known)).toBeUndefined()
  expect(refusal(buys, nobody)).toBe('not_authenticated')
})

it('a half-finished login may make the calls that complete it only while it waits for the second factor', () => {
  expect(refusal({ who: 'pending' }, { ...nobody, pending: { stage: 'mfa_authenticate' } })).toBeUndefined()
  expect(refusal({ who: 'pending' }, { ...nobody, pending: { stage: 'verify_email' } })).toBe(
    'not_authenticated',
  )
})

it('rule 1: the checks of a member of staff run in a fixed order, and a refusal reveals nothing of the later checks', () => {
  const access = staff(credit)
  const known = (change: object) => ({ ...nobody, actor: billing, ...change })
  expect(refusal(access, known({ actor: customer.actor, in_staff_network: false }))).toBe('not_allowed')
  expect(refusal(access, known({ actor: { ...billing, factor: 'missing' }, in_staff_network: false }))).toBe(
    'network_not_allowed',
  )
  expect(refusal(access, known({ actor: { staff_roles: ['support'], factor: 'missing' } }))).toBe(
    'two_factor_required',
  )
  expect(refusal(access, known({ actor: { staff_roles: ['support'], factor: 'stale' } }))).toBe(
    'code_required',
  )
  expect(refusal(access, known({ actor: { staff_roles: ['support'], factor: 'proven' } }))).toBe(
    'not_allowed',
  )
  expect(refusal(access, known({ asks_factor: true }))).toBe('code_required')
  expect(refusal(access, known({ asks_factor: true, is_recent: true }))).toBeUndefined()
  expect(refusal(access, known({ actor: { ...billing, factor: 'none' } }))).toBe('reauthentication_required')
  expect(
    refusal(
      access,
      known({ actor: { ...billing, staff_roles: ['owner'], factor: 'none' }, is_recent: true }),
    ),
  ).toBeUndefined()
})

it('rule 59: a kind that needs a further permission is judged as strictly as the call, and no other kind is', () => {
  const audit = permission('test.audit', ['admin'])
  const access = { ...staff(credit), kinds: { audit } }
  const admin = { ...billing, staff_roles: ['admin'] } as const
  const asked = (actor: typeof admin | typeof billing, kind: unknown, in_staff_network = true) =>
    refusalOfKind({ access }, { actor, in_staff_network }, kind)
  expect(asked(billing, 'audit')).toBe('not_allowed')
  expect(asked(admin, 'audit')).toBeUndefined()
  expect(asked(admin, 'audit', false)).toBe('network_not_allowed')
  for (const kind of ['vat', 'constructor', undefined, 7]) expect(asked(billing, kind)).toBeUndefined()
  expect(
    refusalOfKind({ access: staff(credit) }, { actor: billing, in_staff_network: true }, 'audit'),
  ).toBeUndefined()
})
