import { expect, it } from 'vitest'
import { readSearch } from './rules.ts'

it.each([
  ['203.0.113.7', { kind: 'address', text: '203.0.113.7' }],
  ['2001:DB8:0::7', { kind: 'address', text: '2001:db8::7' }],
  ['2001:db8:0:1::/64', { kind: 'address', text: '2001:db8:0:1::/64' }],
  [' 203.0.113.7 ', { kind: 'address', text: '203.0.113.7' }],
  ['256.0.113.7', { kind: 'words', text: '256.0.113.7' }],
  ['HD-2026-000017', { kind: 'invoice', text: 'HD-2026-000017' }],
  ['hd-2026-000017', { kind: 'invoice', text: 'HD-2026-000017' }],
  ['#7', { kind: 'ticket', number: 7 }],
  ['1007', { kind: 'ticket', number: 1007 }],
  ['hd kxqm 4711 83', { kind: 'transfer', text: 'hd kxqm 4711 83' }],
  ['HD-KXQM-4711', { kind: 'transfer', text: 'HD-KXQM-4711' }],
  ['hd kxqm 4711', { kind: 'transfer', text: 'hd kxqm 4711' }],
  ['A1B2C3D4-0000-4000-8000-000000000001', { kind: 'account', text: 'a1b2c3d4-0000-4000-8000-000000000001' }],
  ['anna@', { kind: 'email', text: 'anna@' }],
  ['Anna Brückner', { kind: 'words', text: 'Anna Brückner' }],
  ['%_\\', { kind: 'words', text: '%_\\' }],
])('reads %j', (typed, meant) => expect(readSearch(typed)).toEqual(meant))
