import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { AuditPage } from './audit-page.tsx'

const olivia = { id: '00000000-0000-4000-8000-000000000001', name: 'Olivia' }
const anna = { id: '00000000-0000-4000-8000-000000000002', name: 'Anna' }
const entry = (id: string, act: string, more: object = {}) => ({
  id,
  at: '2026-01-02T03:04:05.678Z',
  act,
  person: anna,
  actor: { kind: 'staff', person: olivia },
  ip: '203.0.113.9',
  user_agent: 'Firefox',
  request_id: 'r-17',
  detail: { by: olivia.id, reason: 'as agreed' },
  ...more,
})

beforeEach(async () => {
  await startAnew()
  await reply('GET /api/staff/members/', {
    status: 200,
    body: { items: [olivia], invitations: [], permissions: [] },
  })
  await reply('GET /api/staff/audit/', {
    status: 200,
    body: {
      items: [
        entry('3', 'finance.credit_given'),
        entry('2', 'password.changed', { actor: { kind: 'self', person: anna }, detail: {} }),
        entry('5', 'session.started', { actor: { kind: 'self', person: anna }, detail: {} }),
        entry('4', 'session.started', { person: olivia, ip: '203.0.113.10', detail: {} }),
        entry('1', 'of.tomorrow', { actor: { kind: 'cli', person: null }, person: null, detail: {} }),
      ],
      next_cursor: null,
    },
  })
})

const open = (query = '') =>
  openAt(`/staff-audit${query}`, [{ path: paths.audit.pattern, page: () => Promise.resolve(AuditPage) }])

it('says what was done, by whom, to whom and why, opens the rest, and folds sign-ins', async () => {
  await open()
  const credit = page.getByRole('row').filter({ hasText: 'Credit added' })
  await expect.element(credit.getByText('as agreed')).toBeVisible()
  await expect.element(credit.getByRole('link', { name: 'Anna' })).toBeVisible()
  // The text is looked for in the rows only, since the filter has an option with the same text.
  const lines = page.getByRole('row')
  await expect.element(lines.getByText('Password changed', { exact: true })).toBeVisible()
  // An action of another release is shown by its name.
  await expect.element(lines.getByText('of.tomorrow')).toBeVisible()
  await expect.element(lines.filter({ hasText: '2 ×' }).getByText('Anna +1')).toBeVisible()
  await userEvent.click(lines.getByRole('button', { name: 'Signed in' }))
  await expect.element(page.getByRole('dialog').getByText('203.0.113.10')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(credit.getByRole('button', { name: 'Credit added' }))
  await expect.element(page.getByRole('dialog').getByText('r-17')).toBeVisible()
})

it('keeps the filter in the address, and asks with it', async () => {
  const { address } = await open('?act=password.changed')
  await expect.element(page.getByLabelText('Action', { exact: true })).toHaveValue('password.changed')
  await userEvent.selectOptions(page.getByLabelText('Done by'), 'Olivia')
  await expect.poll(address).toBe(`/staff-audit?actor=${olivia.id}&act=password.changed`)
  await expect
    .poll(async () => (await sent('GET', '/api/staff/audit/')).at(-1)?.path)
    .toBe(`/api/staff/audit/?actor=${olivia.id}&act=password.changed`)
})
