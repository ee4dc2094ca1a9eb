import { beforeEach, expect, it } from 'vitest'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { storeUser } from '#tests/web/stored.ts'
import { VIEWING } from '#foundation/web/viewing.ts'
import { keepNotices, keptNotices } from './kept-notices.ts'

const notice = {
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  revision: 1,
  kind: 'maintenance',
  title: { en: 'New switches', de: 'Neue Switches', ru: 'Новые коммутаторы' },
  text: { en: 'Short breaks.', de: 'Kurze Ausfälle.', ru: 'Короткие перерывы.' },
  starts_at: '2099-01-02T03:04:05.000Z',
  ends_at: null,
  published_at: '2026-01-02T03:04:05.000Z',
  resolved_at: null,
  resolution: null,
} as const

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  storeUser({ id: 'ann', display: 'Ann' })
})

it('keeps the last notices for their reader only, not for another account and not after sign-out', () => {
  keepNotices([notice])
  expect(keptNotices()).toEqual([notice])
  storeUser({ id: 'ben', display: 'Ben' })
  expect(keptNotices()).toEqual([])
  clearSession(seeSession())
  expect(keptNotices()).toEqual([])
})

it('stores no entry when there are no notices, so that the first page does not fetch their code', () => {
  keepNotices([notice])
  keepNotices([])
  expect(localStorage.getItem('notices')).toBe(null)
})

it('neither keeps nor shows any in a tab that shows the account of somebody else', () => {
  keepNotices([notice])
  sessionStorage.setItem(VIEWING, 'x')
  expect(keptNotices()).toEqual([])
  keepNotices([])
  sessionStorage.clear()
  expect(keptNotices()).toEqual([notice])
})

it.each([
  'nonsense',
  '[]',
  '{"reader":"ann","items":7}',
  `{"reader":"ann","items":[null,{"id":"x"},${JSON.stringify({ ...notice, title: 'New switches' })}]}`,
])('shows nothing of what another release may have kept: %s', (stored) => {
  localStorage.setItem('notices', stored)
  expect(keptNotices()).toEqual([])
})
