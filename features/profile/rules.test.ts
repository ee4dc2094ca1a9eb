import { expect, it } from 'vitest'
import { fullName, languageById, languageId, languages } from './rules.ts'

const anna = { name: 'anna', middle_name: '', surname: 'Brückner' }

it('R-13 joins the names that are known', () => {
  expect(fullName(anna)).toBe('anna Brückner')
  expect(fullName({ ...anna, middle_name: 'Maria' })).toBe('anna Maria Brückner')
  expect(fullName({ name: '', middle_name: '', surname: '' })).toBe('')
})

it('P-01 knows each language by its uuid, which never changes', () => {
  for (const { uuid, slug } of languages) expect([languageById(uuid), languageId(slug)]).toEqual([slug, uuid])
  expect(languageById('en')).toBeUndefined()
  expect(languageId('fr')).toBe(languageId('en'))
  expect(languages.map(({ uuid }) => uuid.slice(0, 8))).toEqual(['3f1c8a52', '8b7d2e94', 'c4a96f17'])
})
