import { afterEach, describe, expect, it, vi } from 'vitest'
import { m } from '#texts/messages.js'
import { inAct, render } from '#tests/web/render.tsx'
import { errorText, loadErrorTexts } from './error-text.ts'
import { formatBytes, formatDate, formatMonth, relativeTime } from './format.ts'
import { currentLocale, setLocale, startLocale } from './locale.ts'
import { localized } from './localized.tsx'

const browserSpeaks = (...languages: string[]) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)
  localStorage.removeItem('locale')
  startLocale()
}

describe('locale', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    setLocale('en')
  })

  it('G-01 takes the stored value, else the browser’s language, else English', () => {
    browserSpeaks('fr-FR', 'de-AT', 'en')
    expect(currentLocale()).toBe('de')
    browserSpeaks('fr-FR')
    expect(currentLocale()).toBe('en')
    browserSpeaks('de')
    localStorage.setItem('locale', 'ru')
    startLocale()
    expect(currentLocale()).toBe('ru')
    localStorage.setItem('locale', 'xx')
    startLocale()
    expect(currentLocale()).toBe('de')
  })

  it('G-01 stores a choice and sets the document’s language', () => {
    setLocale('ru')
    expect(localStorage.getItem('locale')).toBe('ru')
    expect(document.documentElement.lang).toBe('ru')
    expect(m.ui_cancel()).toBe('Отмена')
  })

  it('R-16 changes every text in place: nothing typed is lost', async () => {
    const Page = localized(() => (
      <label>
        {m.ui_save()} <input />
      </label>
    ))
    const page = await render(<Page />)
    const input = page.querySelector('input')
    if (input) input.value = 'typed'
    await inAct(() => setLocale('de'))
    expect(page.textContent).toContain('Speichern')
    expect(page.querySelector('input')).toBe(input)
    expect(input?.value).toBe('typed')
  })

  it('names a month as a heading begins, in each language', () => {
    const names = (['en', 'de', 'ru'] as const).map((locale) => {
      setLocale(locale)
      return formatMonth(Date.UTC(2026, 10, 20, 12))
    })
    setLocale('en')
    expect(names).toEqual(['November 2026', 'November 2026', 'Ноябрь 2026\u{a0}г.'])
  })

  it('G-01 formats relative time from seconds to years', () => {
    const now = Date.UTC(2026, 10, 20, 12)
    const before = (seconds: number) => relativeTime(now - seconds * 1000, now)
    expect(before(5)).toBe('5 seconds ago')
    expect(before(61)).toBe('1 minute ago')
    expect(before(3 * 3600)).toBe('3 hours ago')
    expect(before(86_400)).toBe('yesterday')
    expect(before(15 * 86_400)).toBe('2 weeks ago')
    expect(before(70 * 86_400)).toBe('2 months ago')
    expect(before(800 * 86_400)).toBe('2 years ago')
    expect(relativeTime(now + 86_400_000, now)).toBe('tomorrow')
    expect(before(0)).toBe('now')
    expect(relativeTime(now + 31 * 86_400_000, now)).toBe('in 1 month')
    // Days count by midnights: from Monday, ten in the evening, to Wednesday are two days.
    const monday = new Date(2026, 10, 30, 22).getTime()
    expect(relativeTime(monday + 26 * 3_600_000, monday)).toBe('in 2 days')
    expect(relativeTime(monday + 25 * 3_600_000, monday)).toBe('tomorrow')
  })

  it('G-01 has the three plural forms of Russian', () => {
    setLocale('ru')
    const now = Date.UTC(2026, 10, 20, 12)
    const minutes = (count: number) => relativeTime(now - count * 60_000, now)
    expect([1, 2, 5, 21, 22, 25].map(minutes)).toEqual([
      '1 минуту назад',
      '2 минуты назад',
      '5 минут назад',
      '21 минуту назад',
      '22 минуты назад',
      '25 минут назад',
    ])
  })

  it.each([
    [0, '0 kB'],
    [20, '0.1 kB'],
    [2_400, '2.4 kB'],
    [412_400, '412 kB'],
    [2_440_000, '2.4 MB'],
    [70_159_400_000, '70.2 GB'],
  ])('writes %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it('writes dates in the format of the language', () => {
    setLocale('de')
    expect(formatDate('2026-11-21T10:00:00Z')).toBe('21.11.2026')
  })
})

describe('error texts', () => {
  it('V-01 V-03 are found by code, first for the field, then in general', async () => {
    await loadErrorTexts()
    expect(errorText({ code: 'required', param: 'name' })).toBe('Field is required')
    expect(errorText({ code: 'invalid', param: 'email' })).toBe('Enter a valid email address')
    expect(errorText({ code: 'invalid', param: 'zip' })).toBe('This value isn’t valid')
    // @ts-expect-error -- a server of a later version may know more codes
    expect(errorText({ code: 'nobody_knows' })).toBe('Something went wrong. Please try again.')
  })
})
