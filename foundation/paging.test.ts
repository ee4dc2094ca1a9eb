import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { pageOf, pageQuery } from './paging.ts'

const query = z.strictObject(pageQuery)

it('shows 25 of a list unless asked for another number up to 100', () => {
  expect(query.parse({})).toEqual({ limit: 25 })
  expect(query.parse({ limit: '100', cursor: 'WyIxIl0' })).toEqual({ limit: 100, cursor: 'WyIxIl0' })
})

it.each(['0', '101', '-1', '1e1', '', '07', '5.5'])('rule 33: refuses a page of %j', (limit) => {
  expect(query.safeParse({ limit }).success).toBe(false)
})

it('a page must have a next_cursor, which is null on the last page', () => {
  const page = pageOf(z.string())
  expect(page.safeParse({ items: ['one'], next_cursor: null }).success).toBe(true)
  expect(page.safeParse({ items: ['one'] }).success).toBe(false)
})
