import { expect, it } from 'vitest'
import {
  countryOfVatId,
  fullName,
  isVatId,
  languageById,
  languageId,
  languages,
  plainVatId,
} from './rules.ts'

const anna = { name: 'anna', middle_name: '', surname: 'Brückner' }

it('R-13 joins the names that are known', () => {
  expect(fullName(anna)).toBe('anna Brückner')
  expect(fullName({ ...anna, middle_name: 'Maria' })).toBe('anna Maria Brückner')
  expect(fullName({ name: '', middle_name: '', surname: '' })).toBe('')
})

it('P-01 maps each language to a uuid that never changes, and an unknown language to that of English', () => {
  for (const { uuid, slug } of languages) expect([languageById(uuid), languageId(slug)]).toEqual([slug, uuid])
  expect(languageById('en')).toBeUndefined()
  expect(languageId('fr')).toBe(languageId('en'))
  expect(languages.map(({ uuid }) => uuid.slice(0, 8))).toEqual(['3f1c8a52', '8b7d2e94', 'c4a96f17'])
})

it.each([
  'ATU12345678 BE0123456789 BG123456789 CY12345678X CZ12345678 DE123456789 DK12345678 EE123456789 EL123456789',
  'ESX1234567X ES12345678Z FI12345678 FRXX123456789 HR12345678901 HU12345678 IE1234567WA IT12345678901 LT123456789',
  'LU12345678 LV12345678901 MT12345678 NL123456789B01 PL1234567890 PT123456789 RO12 SE123456789012 SI12345678',
  'SK1234567890 XI123456789 GB123456789012 CHE123456789MWST NO123456789MVA',
])('F-02 knows the forms of VAT ids: %s', (given) => {
  for (const vat_id of given.split(' ')) {
    expect(isVatId(vat_id), vat_id).toBe(true)
    for (const wrong of [
      `${vat_id}Ä`,
      vat_id.slice(1),
      `${vat_id.slice(0, 2)}-${vat_id.slice(2)}`,
      `${vat_id}\n`,
    ])
      expect(isVatId(wrong), wrong).toBe(false)
  }
})

it('F-02 reads a VAT id as people write it, and its country', () => {
  expect(plainVatId(' de 123.456-789 ')).toBe('DE123456789')
  expect(plainVatId('CHE-123.456.789 MWST')).toBe('CHE123456789MWST')
  // Seen red: Greeks were refused who wrote the code of their country, and whoever pasted a hard blank or a dash.
  for (const typed of [
    'GR 123456789',
    'gr123.456.789',
    'el\u00a0123\u2013456\u200b789',
    '\uff25\uff2c123456789',
  ])
    expect(plainVatId(typed)).toBe('EL123456789')
  expect(plainVatId('CH\u2011123.456.789 tva')).toBe('CHE123456789TVA')
  expect(plainVatId('xi 123 4567 89')).toBe('XI123456789')
  expect(['EL123456789', 'XI123456789', 'DE123456789'].map(countryOfVatId)).toEqual(['GR', 'GB', 'DE'])
  expect(['', 'DE', '__proto__', 'constructor'].map(isVatId)).toEqual([false, false, false, false])
})
