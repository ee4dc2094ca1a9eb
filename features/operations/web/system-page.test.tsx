import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const mail = {
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  to: 'anna@example.com',
  template: 'password_reset',
  attempts: 8,
  last_error: '550 no such person',
  created_at: '2026-01-02T03:04:05.000Z',
}

beforeEach(async () => {
  await startAnew()
  await reply('GET /api/staff/me/', { status: 200, body: { permissions: ['system.read', 'system.retry'] } })
  await reply('GET /api/staff/system/', {
    status: 200,
    body: {
      version: '0.1.0',
      node: 'v24.1.0',
      database: '18.1',
      schema: '0104_forgotten_origins',
      processes: 1,
      queue: [{ name: 'send_mail', waiting: 2, running: 0, failed: 1, oldest_s: 300 }],
      mails: { owed: 2, dead: 1 },
      disk: { free_bytes: 5e9, total_bytes: 2e10 },
      stored_bytes: 48_213,
      last_backup_at: null,
      streams: 3,
      warnings: ['jobs_failed', 'limit_near'],
      setup: [
        { name: 'plan', state: 'open' },
        { name: 'mail', state: 'done' },
      ],
      missing: [],
      limits: [
        {
          name: 'eu_consumers',
          sum: { amount: '810000', currency: 'EUR' },
          limit: { amount: '1000000', currency: 'EUR' },
        },
      ],
      settings: ['SMTP_URL is not set.'],
      holds: [
        {
          id: 3,
          first_day: '2024-01-01',
          last_day: '2024-12-31',
          reason: 'Audit of 2024',
          begun_at: '2026-01-02T03:04:05.000Z',
        },
      ],
    },
  })
  await reply('GET /api/staff/system/jobs/failed/', {
    status: 200,
    body: { items: [{ id: '17', name: 'send_mail', attempts: 25, last_error: 'timeout' }] },
  })
  await reply('GET /api/staff/system/mails/', { status: 200, body: { items: [mail] } })
})

it('S-02 shows what to look at, and tries a job and a mail again', async () => {
  await reply('DELETE /api/staff/system/jobs/17/', { status: 204 })
  await reply(`POST /api/staff/system/mails/${mail.id}/retry/`, { status: 204 })
  await openAt('/staff-system', routes)
  await expect.element(page.getByText(/Some jobs have failed permanently/)).toBeVisible()
  await expect.element(page.getByText('SMTP_URL is not set.')).toBeVisible()
  await expect.element(page.getByText(/^No\. 3: .*2024 – .*2024$/)).toBeVisible()
  await expect.element(page.getByText('Audit of 2024')).toBeVisible()
  await expect.element(page.getByText('€8,100.00 of €10,000.00 this year')).toBeVisible()
  await expect.element(page.getByText('Waiting: 2, the oldest for 5 minutes · Failed: 1')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Delete' }))
  await userEvent.click(page.getByRole('button', { name: 'Yes, delete' }))
  await expect.poll(lastToast).toBe('Job deleted')
  expect(await sent('DELETE', '/api/staff/system/jobs/17/')).toHaveLength(1)
  const mails = page.getByRole('list', { name: 'Undelivered emails' })
  await userEvent.click(mails.getByRole('button', { name: 'Try again' }))
  await expect.poll(lastToast).toBe('Trying again now')
  expect(await sent('POST', `/api/staff/system/mails/${mail.id}/retry/`)).toHaveLength(1)
})

it('says what is to be set up, and that this installation does without something', async () => {
  await openAt('/staff-system', routes)
  const list = page.getByRole('list', { name: 'Set up' })
  await expect.element(list.getByRole('img', { name: 'Done' })).toBeVisible()
  await reply('POST /api/staff/system/setup/plan/', { status: 204 })
  await userEvent.click(list.getByRole('button', { name: 'Not needed' }))
  await expect.poll(() => sent('POST', '/api/staff/system/setup/plan/')).toHaveLength(1)
})
