import { expect, it } from 'vitest'
import { stateOf } from './rules.ts'

it('says of a voucher whether it can be redeemed, and if not, why', () => {
  const fresh = { uses: 2, used: 1, is_expired: false, voided_at: null }
  expect(stateOf(fresh)).toBe('live')
  expect(stateOf({ ...fresh, is_expired: true })).toBe('expired')
  expect(stateOf({ ...fresh, used: 2, is_expired: true })).toBe('used_up')
  expect(stateOf({ ...fresh, used: 2, voided_at: new Date(0) })).toBe('void')
})
