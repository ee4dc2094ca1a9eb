import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pageFrom, placeIn, placeKinds } from './paging.ts'

const page = (rows: number[], limit: number) =>
  pageFrom(
    rows,
    limit,
    (row) => [String(row)],
    (row) => row,
  )

it('walks a list of any length to its end, each item once', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 10 }), (length, limit) => {
      const all = Array.from({ length }, (_, index) => index)
      const seen: number[] = []
      let cursor: string | null | undefined
      do {
        const [after = '-1'] = placeIn(cursor ?? undefined, [placeKinds.number]) ?? []
        const rows = all.filter((row) => row > Number(after)).slice(0, limit + 1)
        const { items, next_cursor } = page(rows, limit)
        seen.push(...items)
        cursor = next_cursor
      } while (cursor !== null)
      expect(seen).toEqual(all)
    }),
  )
})

it.each([
  '',
  'x',
  'bnVsbA',
  Buffer.from('["1","2"]').toString('base64url'),
  Buffer.from('["1;"]').toString('base64url'),
])('refuses the cursor %j', (cursor) => {
  expect(() => placeIn(cursor, [placeKinds.number])).toThrow('400 invalid')
})

it('keeps impossible days out of the database, which would answer them with a fault', () => {
  const cursor = (time: string) => Buffer.from(JSON.stringify([time])).toString('base64url')
  expect(placeIn(cursor('2026-02-28T23:59:59.999Z'), [placeKinds.time])).toEqual(['2026-02-28T23:59:59.999Z'])
  for (const time of [
    '2026-02-31T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '-000044-03-15T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
  ])
    expect(() => placeIn(cursor(time), [placeKinds.time])).toThrow('400 invalid')
})
