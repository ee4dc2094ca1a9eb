import { expect, it } from 'vitest'
import { fillReply } from './rules.ts'

it('fills in the names of customer and writer, and leaves other braces alone', () => {
  const names = { customer: 'Anna Berger', me: 'Olivia Grant' }
  expect(fillReply('Hello {customer}, {you} {{me}}', names)).toBe('Hello Anna Berger, {you} {Olivia Grant}')
})

it('leaves the placeholder of an unknown name to be filled by hand, and fills no name into a name', () => {
  expect(fillReply('{customer} / {me}', { customer: '', me: '{customer}' })).toBe('{customer} / {customer}')
})
