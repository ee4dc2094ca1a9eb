import { expect, it } from 'vitest'
import { hasLink, withoutLinks } from './link-like.ts'

it.each([
  ['https://evil.example.com/x', 'evil[.]example[.]com/x'],
  ['HTTP://evil', 'evil'],
  ['javascript://x', 'x'],
  ['www.evil', 'www[.]evil'],
  ['Click evil.com now', 'Click evil[.]com now'],
  ['evil.com.', 'evil[.]com.'],
  ['(evil.com)', '(evil[.]com)'],
  ['evil.co.uk', 'evil[.]co[.]uk'],
  ['EVIL.COM', 'EVIL[.]COM'],
  ['t.me/evil', 't[.]me/evil'],
  ['bit.ly', 'bit[.]ly'],
  ['evil.com:8080', 'evil[.]com:8080'],
  ['злой.рф', 'злой[.]рф'],
  ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd[.]xn--p1ai'],
  ['ｅｖｉｌ．ｃｏｍ', 'evil[.]com'],
  ['192.0.2.7', '192[.]0[.]2[.]7'],
  ['web-1.example.org', 'web-1[.]example[.]org'],
])('%s is a link, and %s is none', (written, read) => {
  expect(hasLink(written)).toBe(true)
  expect(withoutLinks(written)).toBe(read)
  expect(hasLink(read)).toBe(false)
})

it.each([
  'Anna Brückner',
  'J.R.R. Tolkien',
  'J.de Boer',
  'Dr.Müller',
  'St.John',
  'Anna-Maria O’Neil',
  'Мария И. Петрова',
  'web-1',
  'anna@example.com',
  'anna.example.com@example.com',
  'Müller u. Co. KG',
  '3.5',
  'Chrome/120.0.0.0',
])('%s is a name', (name) => {
  expect(hasLink(name)).toBe(false)
  expect(withoutLinks(name)).toBe(name)
})
