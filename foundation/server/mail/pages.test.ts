import { expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { mailTemplate } from './mail-template.ts'
import { enqueueMail } from './outbox.ts'

const note = mailTemplate('test_note', 'rest', [{ word: '' }], ({ word }: { word: string }, { link }) => ({
  subject: `A note: ${word}`,
  paragraphs: ['<script>alert(1)</script>'],
  action: { label: 'View server', url: link('/', { key: word }) },
}))
const kept = await startTestApp({ settings: { SMTP_URL: '', SUPPORT_EMAIL: 'help@example.com' } })
const { app, api } = kept
const oweNote = (to: string, word: string) =>
  transaction(app, 'system', (tx) =>
    enqueueMail(app, tx, { user_id: null, to, locale: 'de', template: note, values: { word } }),
  )

it('without SMTP_URL mails are kept and can be read at /dev/mail/', async () => {
  await oweNote('anna@example.com', 'old')
  const id = await oweNote('anna@example.com', 'kiwi')
  await oweNote('boris@example.com', 'other')

  const list = await api.get<string>('/dev/mail/')
  expect(list.status).toBe(200)
  expect(list.body).toContain('A note: kiwi')
  expect(list.body).toContain('boris@example.com')

  const latest = await api.get<{ id: string; links: string[]; text: string }>(
    '/dev/mail/latest?to=Anna@example.com',
  )
  expect(latest.body).toMatchObject({
    id,
    to: 'anna@example.com',
    letter: 'test_note',
    locale: 'de',
    subject: 'A note: kiwi',
  })
  expect(latest.body.links).toEqual(['http://localhost:3000/account/?key=kiwi'])
  expect((await api.get('/dev/mail/latest?to=nobody@example.com')).status).toBe(404)

  const page = await api.get<string>(`/dev/mail/${id}`)
  expect(page.body).toContain('<a href="http://localhost:3000/account/?key=kiwi">')
  expect(page.body).not.toContain('<script>')
  expect(page.body).toMatch(/<iframe [^>]*sandbox=/)
  expect((await api.get('/dev/mail/00000000-0000-4000-8000-000000000000')).status).toBe(404)
  expect((await api.get('/dev/mail/x')).status).toBe(404)
})

it('rule 27: a kept mail is shown without a script, an origin, or the right to load anything', async () => {
  const id = await oweNote('csp@example.com', 'kiwi')
  const html = await api.get<string>(`/dev/mail/${id}/html`)
  const policy = html.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/sandbox(?!.*allow-scripts)(?!.*allow-same-origin)/)
  expect(html.body).toContain('&lt;script&gt;')
  expect(html.body).toContain('mailto:help@example.com')
  expect(html.body).not.toMatch(/<script|src="http|url\(/)
})

it('where mails are sent, and in production, these addresses do not exist', async () => {
  const sending = await startTestApp()
  for (const path of ['/dev/mail/', '/dev/mail/latest', '/dev/mail'])
    expect((await sending.api.get(path)).status).toBe(404)
  await sending.close()
})
