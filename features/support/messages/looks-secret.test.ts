import { expect, it } from 'vitest'
import { secretIn } from './looks-secret.ts'

it.each([
  ['Password: hunter2', 'hunter2'],
  ['Mein Passwort lautet Wolke!77, bitte ändern.', 'Wolke!77'],
  ['Пароль: zima-2026', 'zima-2026'],
  ['the root pass is tR7$wq', 'tR7$wq'],
  ['user: anna\npw = "Xk9mmQ2vLp"', 'Xk9mmQ2vLp'],
  ['PIN: 4711', '4711'],
  ['API key: 9f8e7d6c5b4a39281706', '9f8e7d6c5b4a39281706'],
  ['Use ghp_abcdefghijklmnopqrstuvwxyz0123456789 please', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
  ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
  ['hda_0123456789abcdefghijklmnop does not work', 'hda_0123456789abcdefghijklmnop'],
  ['Xk9$mmQ2!vLp', 'Xk9$mmQ2!vLp'],
  [
    'Here:\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\nthanks',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----',
  ],
  ['postgres://app:tR7wq@db.internal/shop', 'postgres://app:tR7wq@'],
  ['My key is AB12C-DE34F-GH56I-JK78L-MN90P.', 'AB12C-DE34F-GH56I-JK78L-MN90P'],
])('%j is offered to be sent as a secret', (text, found) => {
  expect(secretIn(text)).toBe(found)
})

it.each([
  'I forgot my password. It was set last year.',
  'The password is wrong, says the page.',
  'Password: forgotten',
  'Das Passwort ist abgelaufen.',
  'Ihr Kennwort ist weiterhin gültig.',
  'Пароль не подходит, что делать?',
  'password: case-sensitive',
  'Password changed: 2026-11-29 14:20',
  'password: ********',
  'password: <your password>',
  'API key: https://example.com/account/keys',
  'token: anna@example.com',
  'Token is expired since 12:30',
  'PIN pad broken',
  'pin: 12',
  'check-in refused: 401',
  '2001:db8::17',
  'fe80::1ff:fe23:4567:890a',
  'backup-2026-11-29.tar.gz',
  '/var/log/nginx/access.log.1',
  '#INV-2026-0001',
  'a0000000-0000-4000-8000-000000000001',
  'v1.24.3-rc1',
  'harbour-web-01.example.com:8443',
  '```\n0 3 * * * /usr/local/bin/backup\n```',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE4 anna@harbour',
  'pass: it is all good now',
  'Donaudampfschifffahrtsgesellschaft',
  'HOSTDESK_AGENT_INTERVAL',
  'The key is under /etc/hostdesk/agent.json',
])('%j is nothing of the kind', (text) => {
  expect(secretIn(text)).toBeUndefined()
})

it('a text of a megabyte is looked at at once', () => {
  const began = performance.now()
  expect(secretIn('password: '.repeat(100_000))).toBeUndefined()
  expect(secretIn('aA1$'.repeat(250_000))).toBeDefined()
  expect(performance.now() - began).toBeLessThan(200)
})
