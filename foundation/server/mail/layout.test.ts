import { expect, it } from 'vitest'
import type { Config } from '#foundation/server/config.ts'
import { render } from './layout.ts'
import { mailTemplate, mailContext, type MailLocale } from './mail-template.ts'

const config = {
  publicOrigin: 'https://account.example.com',
  operator: {
    name: 'North & <Light>',
    logo: undefined,
    accentColor: '#ffe680',
    supportEmail: 'help@example.com',
    mailWords: {},
    mailClosing: { en: undefined, de: undefined, ru: undefined },
    imprintUrl: 'https://example.com/imprint?a=1&b=2',
    privacyUrl: undefined,
    termsUrl: undefined,
  },
} as unknown as Config
const alarm = mailTemplate(
  'alarm',
  'rest',
  [{ agent: '' }],
  ({ agent }: { agent: string }, { link, operator, time }) => ({
    subject: `Sign-in at ${operator.name}`,
    preheader: 'A new device',
    paragraphs: ['First line\nsecond line'],
    action: { label: 'Look at it', url: link('/settings/security', { key: 'a b&"c' }) },
    facts: [
      ['Time', time(new Date('2026-03-01T10:20:30Z'))],
      ['Device', agent],
    ],
    closing: ['Bye'],
  }),
)
const write = (agent: string, locale: MailLocale = 'en', { name = '', timeZone = 'UTC' } = {}) => {
  const context = mailContext(config, locale, timeZone)
  return render(alarm.write({ agent }, context), { ...context, config, name })
}

it('makes text that reads without HTML, with the link, the facts and the sender', () => {
  const { text } = write('Firefox')
  expect(text).toContain(
    'Look at it:\nhttps://account.example.com/account/settings/security?key=a+b%26%22c\n',
  )
  expect(text).toContain('Device: Firefox')
  expect(text).toContain('UTC')
  expect(text).toContain('-- \nThis message was sent automatically by North & <Light>.')
  expect(text).toContain('Imprint: https://example.com/imprint?a=1&b=2')
})

it('escapes everything that is not ours, in the operator’s words too', () => {
  const { html } = write('<img src=x onerror=alert(1)>"\'')
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;')
  expect(html).toContain('North &amp; &lt;Light&gt;')
  expect(html).not.toMatch(/<img|<script|<Light/)
  expect(html).toContain('First line<br>second line')
  expect(html).toContain('href="https://example.com/imprint?a=1&amp;b=2"')
})

it('replaces line breaks in a value with spaces, so that the value cannot add lines to the mail', () => {
  expect(write('Firefox\r\nTime: yesterday\u2028Bcc: x').text).toContain(
    'Device: Firefox Time: yesterday Bcc: x',
  )
})

it('is dark where the reader is, readable on a light accent, and in the reader’s language', () => {
  const { html } = write('Firefox', 'de')
  expect(html).toContain('<html lang="de">')
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toContain('@media (prefers-color-scheme: dark)'.replace(': ', ':'))
  expect(html).toContain('background:#ffe680;color:#14171c')
  expect(html).toContain('max-width:600px')
  expect(html).toContain('Falls die Schaltfläche nicht funktioniert')
  expect(write('Firefox', 'ru').html).toContain('Если кнопка не работает')
})

it.each([
  ['en', 'Anna', 'Hello Anna,\n\nFirst line'],
  ['de', 'Anna', 'Guten Tag Anna,\n'],
  ['ru', 'Михаил', 'Здравствуйте, Михаил!\n'],
  ['en', '', 'Hello,\n'],
  ['de', '', 'Guten Tag,\n'],
  ['ru', '', 'Здравствуйте!\n'],
  ['en', 'Jean-Luc O’Neil', 'Hello Jean-Luc O’Neil,\n'],
  // An unusable name is left out of the greeting.
  ['en', 'Win 500 EUR at evil.example', 'Hello,\n'],
  ['en', 'https://evil.example', 'Hello,\n'],
] as const)('greets in %s who is called %j', (locale, name, greeting) => {
  const { text, html } = write('Firefox', locale, { name })
  expect(text.startsWith(greeting)).toBe(true)
  expect(html).toContain(`>${greeting.split('\n')[0]}</p>`)
})

it.each([
  ['en', 'Europe/Berlin', '1 March 2026, 11:20 CET'],
  ['de', 'Europe/Berlin', '1. März 2026, 11:20 MEZ'],
  ['ru', 'Europe/Moscow', '1 марта 2026 г., 13:20 GMT+3'],
  ['en', 'America/New_York', '1 March 2026, 05:20 GMT-5'],
] as const)('tells times in %s by the clock of %s', (locale, timeZone, time) => {
  expect(write('Firefox', locale, { timeZone }).text).toContain(`Time: ${time}`)
})

it('sets apart what somebody wrote, with the author and the time', () => {
  const context = mailContext(config, 'en', 'Europe/Berlin')
  const quote = {
    quote: 'One <b>\n\n-- \ntwo',
    author: 'Olivia\nGrant',
    at: new Date('2026-11-22T13:05:00Z'),
  }
  const said = { subject: 'x', preheader: 'y', paragraphs: ['Read this:', quote] }
  const { text, html } = render(said, { ...context, config, name: '' })
  expect(text).toContain('Olivia Grant, 22 November 2026, 14:05 CET:\n> One <b>\n>\n> --\n> two\n')
  expect(html).toMatch(/<blockquote [^>]*dir="auto"[^>]*>One &lt;b&gt;<br><br>-- <br>two<\/blockquote>/)
})

it('asks a question by links, as words in the text and as marked buttons in HTML', () => {
  const context = mailContext(config, 'en', 'UTC')
  const links = [{ mark: '🙂', label: 'Good', url: 'https://account.example.com/account/x?a=1&b=2' }]
  const asked = { subject: 'x', paragraphs: ['y'], choices: { question: 'How was it?', links } }
  const { text, html } = render(asked, { ...context, config, name: '' })
  expect(text).toContain('How was it?\nGood: https://account.example.com/account/x?a=1&b=2\n')
  expect(html).toMatch(/href="[^"]*\?a=1&amp;b=2"[^>]*><span aria-hidden="true">🙂<\/span>&nbsp; Good<\/a>/u)
})

it('makes no link of words that somebody typed, unless they are ours or the reader’s own, and lets a quote keep its links', () => {
  const context = mailContext(config, 'en', 'UTC')
  const typed = ['https://evil.example.com/x', 'www.evil.example', 'evil.com'].join(' ')
  const at = new Date('2026-03-01T10:20:30Z')
  const letter = {
    subject: `Server ${typed}`,
    preheader: typed,
    own: ['shop.example.net', '192.0.2.7'],
    paragraphs: [
      `${typed} at evil-shop.example.net and shop.example.net`,
      { quote: 'See docs.example.net', author: typed, at },
    ],
    facts: [
      ['Server', typed],
      ['Address', '192.0.2.7'],
      ['Device', 'Mozilla/5.0 (X11) Chrome/120.0.0.0 Safari/537.36'],
    ] as const,
    closing: [typed, 'It runs on shop.example.net, 192.0.2.7.'],
  }
  const { subject, text, html } = render(letter, { ...context, config, name: '' })
  const said = `${subject} ${text} ${html}`
  for (const part of ['evil.', '://evil', 'evil-shop.example']) expect(said).not.toContain(part)
  expect(subject).toContain('evil[.]example[.]com/x www[.]evil[.]example evil[.]com')
  for (const part of ['runs on shop.example.net, 192.0.2.7.', '> See docs.example.net', 'Address: 192.0.2.7'])
    expect(text).toContain(part)
  expect(text).toContain('Chrome/120.0.0.0 Safari')
  const stranger = render({ ...letter, stranger: true }, { ...context, config, name: '' })
  expect(stranger.text).not.toMatch(/docs\.example|shop\.example|192\.0/)
})
