import { expect, it } from 'vitest'
import { dateLocale } from './date-locale.ts'

it.each([
  ['en', [], 'en-GB'],
  ['en', ['de-DE', 'en'], 'en-GB'],
  ['en', ['de-DE', 'en-US', 'en-AU'], 'en-US'],
  ['de', ['en-US'], 'de'],
  ['ru', [], 'ru'],
] as const)('dates for %s, in a browser of %j, are written as in %s', (locale, preferred, expected) => {
  expect(dateLocale(locale, preferred)).toBe(expected)
})
