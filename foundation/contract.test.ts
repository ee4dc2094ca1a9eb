import { expect, it } from 'vitest'
import { event, route } from './contract.ts'

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

it('an event that a reaction could answer does not compile', () => {
  expect(event<{ user_id: string; ids: readonly string[] }>('news.came')).toEqual({ type: 'news.came' })
  // @ts-expect-error -- a reaction could call it
  expect(event<{ allow: () => void }>('question.asked')).toBeDefined()
  // @ts-expect-error -- a reaction could add to it
  expect(event<{ found: string[] }>('question.asked')).toBeDefined()
})
