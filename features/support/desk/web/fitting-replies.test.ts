import { expect, it } from 'vitest'
import type { CannedReply } from '#features/support/desk/contract.ts'
import { fitting } from './fitting-replies.ts'

const reply = (title: string, text: string, language: CannedReply['language']): CannedReply => ({
  id: title,
  title,
  text,
  language,
  changed_at: '',
  version: 1,
  acts: {},
})
const all = [
  reply('Backups', 'They run each night.', 'en'),
  reply('Night work', 'We work on the backups.', 'de'),
  reply('Перезапуск', 'Перезапустите агента.', 'ru'),
]
const titles = (typed: string, language?: CannedReply['language']) =>
  fitting(all, typed, language).map(({ title }) => title)

it('contains every typed word, in any part of the reply', () => {
  expect(titles('BACKUPS night')).toEqual(['Backups', 'Night work'])
  expect(titles('night  back\u00adups')).toEqual(['Backups', 'Night work'])
  expect(titles('агент')).toEqual(['Перезапуск'])
  for (const typed of ['café', 'cafe', 'CAFE', 'cafe\u0301'])
    expect(fitting([reply('Au Café', 'x', 'en')], typed, 'en'), typed).toHaveLength(1)
  expect(titles('nothing')).toEqual([])
})

it('puts the customer’s language first, and replies with the words in their title', () => {
  expect(titles('', 'de')).toEqual(['Night work', 'Backups', 'Перезапуск'])
  expect(titles('night')).toEqual(['Night work', 'Backups'])
  expect(titles('night', 'en')).toEqual(['Backups', 'Night work'])
})
