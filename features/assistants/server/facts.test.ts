import { expect, it } from 'vitest'
import { factsOf } from './facts.ts'

it('leaves nothing out of what a call would be made with, and tells money as people write it', () => {
  const input = {
    plan: 'x',
    expected_total: { amount: '1990', currency: 'EUR' },
    note: null,
    ids: ['a', 'b'],
  }
  expect(factsOf('/api/hosts/{hostId}/licence/', '/api/hosts/abc/licence/?scope=all', input)).toEqual([
    { name: 'hostId', value: 'abc' },
    { name: 'scope', value: 'all' },
    { name: 'plan', value: 'x' },
    { name: 'expected_total', value: '19.90 EUR' },
    { name: 'note', value: '–' },
    { name: 'ids.0', value: 'a' },
    { name: 'ids.1', value: 'b' },
  ])
})
