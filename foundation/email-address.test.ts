import { domainToASCII, domainToUnicode } from 'node:url'
import { expect, it } from 'vitest'
import { canonicalEmail } from './email-address.ts'
import { email, newEmail } from './fields.ts'

it('rule 37: all spellings of one email address (capitals, Punycode, full-width) give one canonical form', () => {
  for (const twin of [
    'ann@bücher.example',
    'Ann@BÜCHER.example',
    'ann@xn--bcher-kva.example',
    'ann@bu\u0308cher.example',
    '\uff41nn@b\u00fccher.example',
    'ann\uff20bücher\u3002example',
  ])
    expect(canonicalEmail(twin), twin).toBe('ann@bücher.example')
  expect(canonicalEmail('anna+top@mail.example.co.uk')).toBe('anna+top@mail.example.co.uk')
  expect(canonicalEmail('почта@пример.рф')).toBe('почта@пример.рф')
  expect(canonicalEmail('почта@xn--e1afmkfd.xn--p1ai')).toBe('почта@пример.рф')
})

it('V-01 refuses addresses that cannot exist', () => {
  for (const impossible of [
    'a.@x.org',
    '.a@x.org',
    'a..b@x.org',
    '@x.org',
    'a@',
    'a@x',
    'a@x..org',
    'a@.org',
    'a@-x.org',
    'a@x-.org',
    'a@x.o',
    'a@x.123',
    'a@1.2.3.4',
    'a@[1.2.3.4]',
    'a@0x7f.1',
    'a b@x.org',
    'a@x.org/path',
    'a@x.org:25',
    'a@x%2eorg',
    'a@b@x.org',
    '"a"@x.org',
    `a@${'b'.repeat(64)}.org`,
    `${'a'.repeat(65)}@x.org`,
    `a@${'b.'.repeat(130)}org`,
    'a@xn--a.org',
    'a@xn--99zzz99999999.org',
  ])
    expect(canonicalEmail(impossible), impossible).toBeUndefined()
  expect(canonicalEmail(`${'a'.repeat(64)}@${'b'.repeat(63)}.org`)).toBeDefined()
})

it('converts a Punycode domain of any script to the same Unicode name as Node.js does', () => {
  for (const domain of [
    'münchen.de',
    'ελλάδα.gr',
    'भारत.com',
    '例え.jp',
    'правительство.рф',
    'faß.de',
    '😀.example',
  ])
    expect(canonicalEmail(`a@${domainToASCII(domain)}`)).toBe(`a@${domainToUnicode(domainToASCII(domain))}`)
})

it('V-01 the email field of a form gives the canonical address, or one error code for a refused value', () => {
  expect(email().safeParse(' Ann@B\u00dcCHER.example ')).toMatchObject({ data: 'ann@b\u00fccher.example' })
  const codes = (value: unknown) =>
    email()
      .safeParse(value)
      .error?.issues.map(({ message }) => message)
  expect([
    codes(''),
    codes('a.@x.org'),
    codes(`${'a'.repeat(300)}@x.org`),
    codes('a\0@x.org'),
    codes(7),
  ]).toEqual([['required'], ['invalid'], ['max_length'], ['null_characters_not_allowed'], ['invalid']])
})

it('V-01 an address that no mail reaches is refused where it is named first, and known where it was', () => {
  const codeOf = (value: string) =>
    newEmail()
      .safeParse(value)
      .error?.issues.map(({ message }) => message)
  for (const address of ['почта@example.com', 'jörg@example.com', '用户@例え.jp'])
    expect([address, codeOf(address), email().safeParse(address).success]).toEqual([
      address,
      ['unreachable_email'],
      true,
    ])
  for (const address of [
    "o'brien+tag@example.com",
    'ann@bücher.example',
    '\uff41nn@пример.рф',
    'a/b=c!#$%&*?^_`{|}~@x.org',
  ])
    expect([address, codeOf(address)]).toEqual([address, undefined])
  expect(codeOf('a@')).toEqual(['invalid'])
})
