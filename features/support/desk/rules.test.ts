import { expect, it } from 'vitest'
import { fillReply } from './rules.ts'

it('calls the customer and the writer by name, and leaves other braces alone', () => {
  const names = { customer: 'Anna Berger', me: 'Olivia Grant' }
  expect(fillReply('Hello {customer}, {you} {{me}}', names)).toBe('Hello Anna Berger, {you} {Olivia Grant}')
})

it('leaves a name that nobody knows to be filled by hand, and never fills a name into a name', () => {
  expect(fillReply('{customer} / {me}', { customer: '', me: '{customer}' })).toBe('{customer} / {customer}')
})
