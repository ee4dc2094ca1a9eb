import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'

/** A list that no feature has, for tests of how lists are read and kept. */
export const list = route({
  id: 'list',
  tag: 'Servers',
  method: 'GET',
  path: '/api/things/',
  access: { who: 'customer' },
  summary: 'Things',
  query: z.strictObject({ ...pageQuery, q: z.optional(z.string()) }),
  replies: { 200: pageOf(z.string()) },
})
