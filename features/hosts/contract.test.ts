import * as z from 'zod/mini'
import { expect, it } from 'vitest'
import { hostId, ipv4, newHost } from './contract.ts'

it('V-04 lets an order demand the address that is optional elsewhere', () => {
  const order = z.strictObject({ ...newHost, ipv4 })
  const codesOf = (body: object) => z.safeParse(order, body).error?.issues.map(({ message }) => message)
  expect(z.parse(order, { ipv4: ' 10.0.0.1 ' })).toEqual({ ipv4: '10.0.0.1' })
  expect([{}, { ipv4: null }, { ipv4: ' ' }].map(codesOf)).toEqual([['required'], ['required'], ['required']])
  expect(codesOf({ ipv4: '10.0.0.01' })).toEqual(['invalid_ipv4'])
  expect(z.parse(z.strictObject(newHost), {})).toEqual({})
})

it('takes ids of 128 bits only', () => {
  expect(z.safeParse(hostId, 'A'.repeat(22)).success).toBe(true)
  for (const id of ['A'.repeat(21), 'A'.repeat(23), `${'A'.repeat(21)}/`, ''])
    expect(z.safeParse(hostId, id).success).toBe(false)
})
