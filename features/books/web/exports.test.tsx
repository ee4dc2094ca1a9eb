import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { daysOf, lastDayOf, monthsIn, quartersBefore } from '#features/books/rules.ts'
import { dayOf } from '#foundation/web/i18n/days.ts'
import { formatMonth } from '#foundation/web/i18n/format.ts'
import { Exports } from './exports.tsx'

const made = {
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'datev',
  from: '2025-10-01',
  to: '2025-11-30',
  state: 'ready',
  made_by: { id: '00000000-0000-4000-8000-000000000002', name: 'Olivia' },
  created_at: '2025-12-03T10:00:00.000Z',
  expires_at: '2025-12-10T10:00:00.000Z',
  name: 'datev-2025-10-to-2025-11.zip',
  rows: 12,
  bytes: 4096,
  sha256: 'ab',
  agrees: true,
  failure: null,
}
const me = (permissions: string[]) => ({
  status: 200,
  body: { roles: ['billing'], permissions, two_factor: 'ok', allowances: [], waiting: 0 },
})

beforeEach(startAnew)

const open = async (items: object[], permissions = ['books.read', 'books.export']) => {
  await reply('GET /api/staff/me/', me(permissions))
  await reply('GET /api/staff/books/exports/', { status: 200, body: { items, next_cursor: null } })
  await openAt('/staff-reports', [{ path: paths.reports.pattern, page: () => Promise.resolve(Exports) }])
}

it('shows each export with its state, warns of a file that differs from the ledger, and offers finished files as downloads', async () => {
  await open([
    made,
    {
      ...made,
      id: `${made.id.slice(0, -1)}3`,
      kind: 'vat',
      from: '2025-07-01',
      to: '2025-09-30',
      agrees: false,
    },
    {
      ...made,
      id: `${made.id.slice(0, -1)}4`,
      kind: 'documents',
      state: 'failed',
      failure: 'too_large',
      bytes: null,
    },
    {
      ...made,
      id: `${made.id.slice(0, -1)}5`,
      kind: 'invoices',
      state: 'waiting',
      bytes: null,
      made_by: null,
    },
  ])
  await expect
    .element(
      page.getByText(
        `DATEV postings, ${formatMonth('2025-10-15T12:00')} – ${formatMonth('2025-11-15T12:00')}`,
      ),
    )
    .toBeVisible()
  await expect.element(page.getByText('VAT returns of a quarter, Q3 2025')).toBeVisible()
  await expect.element(page.getByText(/The file differs from the ledger/)).toBeVisible()
  await expect.element(page.getByText(/Too many documents for one archive/)).toBeVisible()
  await expect.element(page.getByText('In progress')).toBeVisible()
  await expect.element(page.getByText(/^Former member of staff, /)).toBeVisible()
  await expect.poll(() => page.getByRole('button', { name: /^Download: / }).elements()).toHaveLength(2)
})

it('requests an export of whole months, of a quarter or of days, and shows why a request is refused', async () => {
  await open([])
  await reply('POST /api/staff/books/exports/', {
    status: 409,
    body: { errors: [{ code: 'datev_not_set_up' }] },
  })
  const today = dayOf(new Date())
  const [month = ''] = monthsIn(`${Number(today.slice(0, 4)) - 1}${today.slice(4, 8)}01`, today)
  const [, quarter = ''] = quartersBefore(today, 2)
  await userEvent.click(page.getByRole('button', { name: 'New export' }))
  const create = page.getByRole('button', { name: 'Create export' })
  await userEvent.selectOptions(page.getByLabelText('First month'), month)
  await userEvent.selectOptions(page.getByLabelText('Last month'), month)
  await userEvent.click(create)
  await expect.element(page.getByText(/^DATEV isn’t set up/)).toBeVisible()
  await userEvent.selectOptions(page.getByLabelText('Contents'), 'vat')
  await userEvent.selectOptions(page.getByLabelText('Quarter'), quarter)
  await userEvent.click(create)
  await userEvent.selectOptions(page.getByLabelText('Contents'), 'documents')
  await userEvent.fill(page.getByLabelText('First day'), '2026-01-05')
  await userEvent.fill(page.getByLabelText('Last day'), '2026-01-06')
  await userEvent.click(create)
  await expect.poll(async () => (await sent('POST', '/api/staff/books/exports/')).length).toBe(3)
  const asked = await sent('POST', '/api/staff/books/exports/')
  expect(asked.map(({ body }) => JSON.parse(body ?? '') as object)).toEqual([
    { kind: 'datev', from: `${month}-01`, to: lastDayOf(month) },
    {
      kind: 'vat',
      from: daysOf(quarter).first_day,
      to: lastDayOf(monthsIn(daysOf(quarter).first_day, daysOf(quarter).next_day)[2] ?? ''),
    },
    { kind: 'documents', from: '2026-01-05', to: '2026-01-06' },
  ])
})

it('offers nothing to those who may only read', async () => {
  await open([made], ['books.read'])
  await expect.element(page.getByText(/^DATEV postings/)).toBeVisible()
  expect(page.getByRole('button').elements()).toHaveLength(0)
})
