import { expect, it } from 'vitest'
import { plainAnswer, withoutPrivate } from './rules.ts'

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.pBuFGDHyLIUOQBV6mGsWn4uKDCM8ZzTwvlPQEQSjGrs'

it('takes out what names a person or opens something, and leaves the rest as it was typed', () => {
  for (const [given, kept] of [
    ['write to anna.lind+x@example.org please', 'write to [email address] please'],
    ['my server 203.0.113.9 and 2001:db8::17/64', 'my server [address] and [address]'],
    ['IBAN DE89 3704 0044 0532 0130 00.', 'IBAN [IBAN].'],
    ['card 4111 1111 1111 1111 was charged', 'card [card] was charged'],
    [`Bearer ${jwt}`, 'Bearer [token]'],
    ['hda_9fK2mQx7LwZp and sk_live_51H8abcdEFGH', '[token] and [token]'],
    ['password: Tr0ub4dor&3', 'password: [password]'],
    ['Das Passwort ist geheim!23', 'Das Passwort ist [password]'],
    ['пароль: секрет123', 'пароль: [password]'],
    ['key AB12C-DE34F-GH56I-JK78L-MN90P', 'key [licence key]'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nthanks', '[key]\nthanks'],
    ['sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', 'sha [key]'],
    ['call +49 40 1234567-89', 'call [phone number]'],
    ['postgres://app:pass@db/x', '[password]db/x'],
    ['AWS AKIAIOSFODNN7EXAMPLE here', 'AWS [token] here'],
    ['pw = Xk9mmQ2v and Schlüssel: Wolke!77', 'pw = [password] and Schlüssel: [password]'],
    ['токен это ab12-cd34', 'токен это [password]'],
    ['key ab12c-de34f-gh56i-jk78l-mn90p', 'key [licence key]'],
    ['key abcde-fghij-klmno-pqrst-uvwxy', 'key [licence key]'],
    ['DBPASSWD=Xk9mmQ2v', 'DBPASSWD=[password]'],
    ['password `Xk9mm-Q2v`, pwd Xk9mmQ2v', 'password [password] pwd [password]'],
    ['pa\u200bssword: Tr0ub\u200b4dor', 'password: [password]'],
    ['since 10:20:30 on 2026-11-29, version 1.2.3, port 443, ticket #1042', undefined],
    ['I forgot my password and cannot sign in', undefined],
  ] as const)
    expect(withoutPrivate(given), given).toBe(kept ?? given)
  expect(withoutPrivate('Anna Lind, Am Markt 1, said Annabelle', ['Anna', 'Lind', 'Am Markt 1', 'x'])).toBe(
    '[name] [name], [name], said Annabelle',
  )
})

it('keeps plain text of an answer, and links to this installation alone', () => {
  const origin = 'https://account.example.com'
  expect(plainAnswer('<think>hm</think>Hello\u202e\u0007 ', origin)).toBe('Hello')
  expect(
    plainAnswer(
      `See [help](${origin}/help/en/), [bank](https://evil.example/a), ![x](https://evil.example/x.png?d=1) and www.evil.example`,
      origin,
    ),
  ).toBe(`See [help](${origin}/help/en/), bank, x and […]`)
  expect(plainAnswer('x'.repeat(20_000), origin)).toHaveLength(8000)
})
