import { expect, it } from 'vitest'
import { faultsOf, scopeOf } from './rules.ts'

const now = new Date('2026-11-23T12:00:00Z')
const words = { en: 'a', de: 'b', ru: 'c' }
const news = { kind: 'news', title: words, text: words, starts_at: null, ends_at: null, scope: {} } as const
const at = (hour: number) => new Date(`2026-11-23T${hour}:00:00Z`)

it('N-01 each language must be there, with more than blanks', () => {
  expect(faultsOf(news, now)).toEqual([])
  expect(faultsOf({ ...news, text: { ...words, ru: ' \n' } }, now)).toEqual([
    { code: 'required', param: 'text.ru' },
  ])
  expect(faultsOf({ ...news, text: { ...words, ru: '' }, scope: { language: 'de' } }, now)).toEqual([])
})

it('N-01 an end is in the future and behind the beginning; maintenance has both', () => {
  const maintenance = { ...news, kind: 'maintenance' } as const
  expect(faultsOf(maintenance, now).map(({ param }) => param)).toEqual(['starts_at', 'ends_at'])
  expect(faultsOf({ ...maintenance, starts_at: at(13), ends_at: at(14) }, now)).toEqual([])
  for (const [starts_at, ends_at] of [
    [at(10), at(11)],
    [at(10), now],
    [at(14), at(13)],
    [at(14), at(14)],
  ])
    expect(faultsOf({ ...maintenance, starts_at: starts_at ?? null, ends_at: ends_at ?? null }, now)).toEqual(
      [{ code: 'invalid', param: 'ends_at' }],
    )
})

it('the scope of an announcement is one kind of readers, in one language or in all', () => {
  expect(scopeOf({ all: true })).toEqual({ all: true })
  expect(scopeOf({ hosts: ['198.51.100.7'] })).toEqual({ hosts: ['198.51.100.7'] })
  expect([scopeOf({}), scopeOf({ all: true, plans: ['a'] })]).toEqual([undefined, undefined])
  expect(scopeOf({ all: true, language: 'de' })).toEqual({ all: true, language: 'de' })
})
