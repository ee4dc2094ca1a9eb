import { expect, it } from 'vitest'
import { route } from '#foundation/contract.ts'
import { handler } from './handler.ts'
import { HttpError, badRequest } from './http-error.ts'

const health = route({
  id: 'health',
  tag: 'Profile',
  method: 'GET',
  path: '/api/health/',
  access: { who: 'anyone' },
  summary: 'Health',
  replies: { 200: null },
})

it('a misspelt error code does not compile, in a contract and where it is thrown', () => {
  // @ts-expect-error -- it is called not_found
  expect(route({ ...health, errors: { 404: ['not_fuond'] } })).toBeDefined()
  // @ts-expect-error -- it is called required
  expect(badRequest('requierd', 'name')).toBeInstanceOf(HttpError)
  // @ts-expect-error -- it is called not_found
  expect(new HttpError(404, [{ code: 'not_fuond' }])).toBeInstanceOf(HttpError)
})

it('a limit that is misspelt, or is counted by a key that only a handler knows, does not compile', () => {
  const answer = async () => ({ status: 200 }) as const
  expect(handler(route({ ...health, limits: ['login'] }), answer)).toBeDefined()
  // @ts-expect-error -- it is called login
  expect(handler(route({ ...health, limits: ['logni'] }), answer)).toBeDefined()
  // @ts-expect-error -- it is counted by a key that only a handler knows
  expect(handler(route({ ...health, limits: ['voucher'] }), answer)).toBeDefined()
})

it('a reply that the contract does not declare does not compile', () => {
  // @ts-expect-error -- 204 is not among its replies
  expect(handler(health, async () => ({ status: 204 }))).toBeDefined()
})

it('a handler without a name has the name of its call in stack traces, and one with a name keeps it', async () => {
  const failing = handler(health, async () => {
    await Promise.resolve()
    throw new Error('no')
  })
  const stack = await failing.answer({} as never).catch((error: Error) => error.stack)
  expect(stack).toMatch(/at Object\.health\b|at health\b/)
  const asked = async () => ({ status: 200 }) as const
  expect(handler(health, asked).answer.name).toBe('asked')
})
