import { expect, it } from 'vitest'
import { route } from './contract.ts'

const health = {
  id: 'health',
  tag: 'Profile',
  method: 'GET',
  path: '/api/health/',
  access: { who: 'anyone' },
  summary: 'Health',
  description: 'Health',
  replies: { 204: null },
} as const

it('a route with a property that routes do not have does not compile', () => {
  expect(route(health)).toBe(health)
  // @ts-expect-error -- it is called responseType
  expect(route({ ...health, gives: 'application/pdf' })).toBeDefined()
})
