import { expect, it } from 'vitest'
import { pagePath } from './page-path.ts'

const list = pagePath('/things')
const part = pagePath('/things/$thingId/parts/$partId')

it('makes an address of a pattern, a value for each part that varies, and a query', () => {
  expect(list()).toBe('/things')
  expect(part('a/b', '7')).toBe('/things/a%2Fb/parts/7')
  expect(list({ q: 'ä & b', tab: undefined, empty: '' })).toBe('/things?q=%C3%A4%20%26%20b&empty=')
  expect(part('1', '2', { act: 'renew' })).toBe('/things/1/parts/2?act=renew')
  expect(part.pattern).toBe('/things/$thingId/parts/$partId')
})

it('takes as many values as the pattern has', () => {
  // @ts-expect-error the second value is missing
  part('1')
  // @ts-expect-error this pattern takes no value
  list('1')
})
