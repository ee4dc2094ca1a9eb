import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasUniqueKeys } from './unique-keys.ts'

it.each([
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":1},"c":[{"b":1,"d":{},"b":2}]}',
  '{"a":1,\n "b":"}{\\"a\\":", "a" : 1}',
  '{"":1,"":2}',
  '{"__proto__":1,"__proto__":2}',
])('finds a name that stands twice: %s', (json) => {
  expect(hasUniqueKeys(json)).toBe(false)
})

it('finds none in what is written once, whatever the names and values are', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => hasUniqueKeys(JSON.stringify(value))))
})

it('takes no longer than its text is long', () => {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  const quotes = `{"a":"${'\\"'.repeat(30_000)}"}`
  const blanks = `{"a"${' '.repeat(60_000)}:1}`
  const before = performance.now()
  expect([deep, quotes, blanks].map(hasUniqueKeys)).toEqual([true, true, true])
  expect(performance.now() - before).toBeLessThan(500)
})
