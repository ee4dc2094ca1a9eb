import { createTransport } from 'nodemailer'
import { expect, it } from 'vitest'
import { startTestApp } from './test-app.ts'

const first = await startTestApp()

it('serves over HTTP with a database of its own', async () => {
  const second = await startTestApp()
  expect(second.app.config.databaseUrl?.reveal()).not.toBe(first.app.config.databaseUrl?.reveal())
  expect((await second.api.get('/api/nowhere')).status).toBe(404)
  await second.close()
})

it('returns each mail once, in order, to the caller that waits', async () => {
  const transport = createTransport(first.mails.url)
  const send = (to: string, subject: string) =>
    transport.sendMail({ from: 'a@example.com', to, subject, text: 'Grüße' })
  await send('b@example.com', 'one')
  const later = first.mails.next('c@example.com')
  await send('c@example.com', 'other')
  await send('b@example.com', 'two')
  expect((await first.mails.next('b@example.com')).subject).toBe('one')
  expect((await first.mails.next('b@example.com')).subject).toBe('two')
  expect((await later).text?.trim()).toBe('Grüße')
  await expect(first.mails.next('b@example.com', 50)).rejects.toThrow('No mail to b@example.com')
})

it('returns the mail about a thing, by its subject or its text, and passes over those before it', async () => {
  const transport = createTransport(first.mails.url)
  const send = (subject: string, text: string) =>
    transport.sendMail({ from: 'a@example.com', to: 'd@example.com', subject, text })
  const { about, next } = first.mails
  const later = about('d@example.com', /^a kiwi$/)
  for (const subject of ['a melon', 'two, a kiwi', 'a kiwi']) await send(subject, 'a kiwi\nGrüße')
  expect((await later).subject).toBe('a kiwi')
  for (const fruit of ['plum', 'pear', 'fig']) await send('fruit', `a ${fruit}`)
  expect((await about('d@example.com', 'pear')).text).toContain('a pear')
  expect((await next('d@example.com')).text).toContain('a fig')
  await expect(about('d@example.com', /plum/, 50)).rejects.toThrow('No mail to d@example.com about /plum/')
})
