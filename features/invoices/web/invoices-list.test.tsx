import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { registerSlots } from '#foundation/web/slots.tsx'
import { routes as finance } from '#features/finance/web/feature.tsx'
import { euros, openAt, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { slots } from './feature.tsx'

const INVOICES = 'GET /api/invoices/'
const invoice = (id: string, more: object = {}) => ({
  id,
  number: `HD-2026-${id}`,
  kind: 'invoice',
  cancels: false,
  status: 'paid',
  issued_at: '2026-11-20T10:00:00.000Z',
  issued_on: '2026-11-20',
  due_at: '2026-11-20T10:00:00.000Z',
  net: euros('1000'),
  vat: euros('190'),
  total: euros('1190'),
  ...more,
})
const list = (items: object[], next_cursor: string | null = null) => ({
  status: 200,
  body: { items, next_cursor },
})
const rows = () =>
  [...document.querySelectorAll('ul[aria-label=Invoices] > li')].map((row) => row.textContent)
const open = () => openAt('/finances?view=invoices', finance)

beforeEach(async () => {
  await startAnew()
  registerSlots(slots)
})

it('F-02 lists number, kind, state, date and total, each leading to its page, and loads more', async () => {
  await reply(
    INVOICES,
    list([invoice('3', { kind: 'credit_note', cancels: true }), invoice('2', { status: 'void' })], 'c1'),
    list([invoice('1')]),
  )
  await open()
  await expect.poll(rows).toHaveLength(2)
  expect(rows()[0]).toMatch(/HD-2026-3Cancellation invoiceRefunded20 Nov 2026€11.90/)
  expect(rows()[1]).toContain('Cancelled')
  await expect.element(page.getByRole('link', { name: 'HD-2026-3' })).toHaveAttribute('href', '/invoices/3')
  await userEvent.click(page.getByRole('button', { name: 'Load more' }))
  await expect.poll(rows).toHaveLength(3)
  expect(rows()[2]).toContain('Paid')
})

it('shows that there is none yet, and an error if they could not be loaded', async () => {
  await reply(INVOICES, { status: 400 }, list([]))
  await open()
  await expect.element(page.getByText('We couldn’t load your invoices')).toBeVisible()
  await userEvent.click(page.getByText('We couldn’t load your invoices'))
  await userEvent.click(page.getByRole('button', { name: 'Try again' }).last())
  await expect.element(page.getByText('No invoices yet')).toBeVisible()
})
