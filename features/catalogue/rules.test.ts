import { expect, it } from 'vitest'
import { entitlementLines, parseEntitlements, stateOf } from './rules.ts'

it('says of a voucher whether it can be redeemed, and if not, why', () => {
  const fresh = { uses: 2, used: 1, is_expired: false, voided_at: null }
  expect(stateOf(fresh)).toBe('live')
  expect(stateOf({ ...fresh, is_expired: true })).toBe('expired')
  expect(stateOf({ ...fresh, used: 2, is_expired: true })).toBe('used_up')
  expect(stateOf({ ...fresh, used: 2, voided_at: new Date(0) })).toBe('void')
})

it('reads entitlements as a person types them, refuses malformed lines, and reads back unchanged what it writes', () => {
  const typed = 'machines = 3\n\n  backups.nightly=true \nsupport.tier = named person\nbuild = "42"\n'
  const read = { machines: 3, 'backups.nightly': true, 'support.tier': 'named person', build: '42' }
  expect(parseEntitlements(typed)).toEqual(read)
  const odd = { ...read, flag: 'false', quoted: 'a "b" \\ c', empty: '', much: -999_999_999_999_999 }
  expect(parseEntitlements(entitlementLines(odd))).toEqual(odd)
  expect(parseEntitlements('')).toEqual({})
  for (const wrong of [
    'machines',
    '= 3',
    'No Key = 1',
    'Machines = 1',
    'a = 1\na = 2',
    `${'k'.repeat(64)} = 1`,
  ])
    expect(parseEntitlements(wrong), wrong).toBeUndefined()
})
