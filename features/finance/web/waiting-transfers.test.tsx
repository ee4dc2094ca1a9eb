import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { euros, lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { VIEWING } from '#foundation/web/viewing.ts'
import { routes } from './feature.tsx'

const WAITING = 'GET /api/finances/top-ups/'
const transfer = (id: string, status = 'pending') => ({
  id,
  status,
  provider: 'bank',
  amount: euros('2500'),
  created_at: '2026-11-20T10:00:00.000Z',
  redirect_url: null,
  bank: {
    reference: `HD-${id}`,
    account: 'Example GmbH, DE02 1203 0000 0000 2020 51',
    iban: 'DE02120300000000202051',
    epc: 'BCD\n002\n1\nSCT\n\nExample GmbH\nDE02120300000000202051\nEUR25.00\n\n\nHD-T1',
  },
})
const list = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })
const button = (name: string) => page.getByRole('button', { name })

beforeEach(async () => {
  sessionStorage.clear()
  await startAnew()
  const top_up = {
    providers: ['bank'],
    min: euros('500'),
    max: euros('500000'),
    balance_cap: euros('1000000'),
  }
  const finances = { balance: euros('0'), gift: euros('0'), lasts_until: null, upcoming: [], top_up }
  await reply('GET /api/finances/', { status: 200, body: finances })
  await reply('GET /api/finances/transactions/', list())
  await reply(WAITING, list(transfer('T1')))
})

it('F-01 shows pending transfers, each with the details to write on it, to copy and to scan', async () => {
  await openAt('/finances', routes)
  await expect.element(page.getByText('HD-T1')).toBeVisible()
  await userEvent.click(button('Show details'))
  await expect.element(page.getByText('DE02120300000000202051').last()).toBeVisible()
  await expect.element(page.getByRole('img', { name: /Payment QR code/ })).toBeVisible()
  await expect.element(button('Copy')).toHaveLength(4)
})

it('shows a transfer that was just announced once, although the list of pending transfers contains it, too', async () => {
  await reply('GET /api/finances/top-ups/T1/', { status: 200, body: transfer('T1') })
  await reply(WAITING, list(transfer('T1'), transfer('T2')))
  await openAt('/finances?top_up=T1', routes)
  // The two transfers come by separate answers: both must be shown before they are counted.
  await expect.element(page.getByText('Please transfer €25.00')).toBeVisible()
  await expect.element(page.getByText('HD-T2')).toBeVisible()
  await expect.element(page.getByText('HD-T1')).toHaveLength(1)
})

it('offers a helper who may read only neither a top-up nor to cancel a transfer', async () => {
  sessionStorage.setItem(VIEWING, JSON.stringify({ id: 'a1', name: 'Anna', role: 'read' }))
  await reply('GET /api/finances/top-ups/T2/', { status: 200, body: transfer('T2', 'cancelled') })
  await openAt('/finances?top_up=T2', routes)
  await expect.element(page.getByText('HD-T1')).toBeVisible()
  await expect.element(page.getByText('No transactions yet')).toBeVisible()
  await expect.element(button('Show details')).toHaveLength(1)
  for (const refusedAct of ['Top up', 'Redeem voucher', 'Cancel transfer', 'Try again'])
    await expect.element(button(refusedAct)).not.toBeInTheDocument()
})

it('cancels one after asking, and reports if the money arrived in the meantime', async () => {
  await reply('DELETE /api/finances/top-ups/T1/', refused(409, 'top_up_not_pending'), {
    status: 200,
    body: transfer('T1', 'cancelled'),
  })
  await openAt('/finances', routes)
  await userEvent.click(button('Cancel transfer'))
  const dialog = page.getByRole('dialog', { name: 'Cancel the transfer of €25.00?' })
  await expect.element(dialog).toBeVisible()
  expect(await sent('DELETE', '/api/finances/top-ups/T1/')).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel transfer' }))
  await expect.element(dialog.getByText(/isn’t waiting for a transfer/)).toBeVisible()
  await reply(WAITING, list())
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel transfer' }))
  await expect.poll(lastToast).toBe('Transfer cancelled')
  await expect.element(page.getByText('HD-T1')).not.toBeInTheDocument()
})
