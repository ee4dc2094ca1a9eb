import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct } from '#tests/web/render.tsx'
import { euros, lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './feature.tsx'

const VOUCHERS = '/api/finances/vouchers/'
const finances = (balance: string) => ({
  status: 200,
  body: {
    balance: euros(balance),
    gift: euros('0'),
    lasts_until: null,
    upcoming: [],
    top_up: { providers: ['test'], min: euros('500'), max: euros('500000'), balance_cap: euros('1000000') },
  },
})
const redeemed = {
  id: 't1',
  type: 'fill_balance_voucher',
  amount: euros('2500'),
  balance_after: euros('3500'),
  created_at: '2026-11-20T10:00:00.000Z',
  description: { code: 'voucher', params: {} },
  invoice_id: null,
  host_id: null,
}
const code = page.getByRole('textbox', { name: 'Voucher code' })
const redeem = page.getByRole('dialog').getByRole('button', { name: 'Redeem voucher' })

beforeEach(async () => {
  await startAnew()
  await reply('GET /api/finances/', finances('1000'), finances('3500'))
  await reply('GET /api/finances/transactions/', { status: 200, body: { items: [], next_cursor: null } })
  await openAt('/finances', routes)
  await userEvent.click(page.getByRole('button', { name: 'Redeem voucher' }))
})

it('redeems once however often the button is clicked, shows the amount and the new balance', async () => {
  await reply(`POST ${VOUCHERS}`, { status: 201, body: redeemed, hold_ms: 100 })
  await userEvent.fill(code, '  summer-26 ')
  await userEvent.dblClick(redeem)
  await expect.poll(lastToast).toBe('€25.00 has been added to your balance')
  await expect.element(code).not.toBeInTheDocument()
  await expect.element(page.getByText('€35.00')).toBeVisible()
  const requests = await sent('POST', VOUCHERS)
  expect(requests.map(({ body }) => body)).toEqual(['{"code":"summer-26"}'])
  expect(requests[0]?.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/)
})

it('V-03 shows at the field what is wrong with a code, and keeps it', async () => {
  await reply(
    `POST ${VOUCHERS}`,
    refused(400, 'voucher_invalid', 'code'),
    refused(409, 'voucher_used'),
    refused(429, 'too_many_requests'),
    { status: 0 },
  )
  await userEvent.click(redeem)
  await expect.element(page.getByText('Field is required')).toBeVisible()
  await userEvent.fill(code, 'SUMMER')
  for (const expected of ['true', 'true'] as const) {
    await userEvent.click(redeem)
    await expect.element(code).toHaveAttribute('aria-invalid', expected)
    await expect.element(code).toHaveFocus()
  }
  await userEvent.click(redeem)
  await expect.element(page.getByText(/Too many attempts/)).toBeVisible()
  await userEvent.click(redeem)
  await expect.element(page.getByText(/We can’t be reached/)).toBeVisible()
  await expect.element(code).toHaveValue('SUMMER')
})

it('keeps what was typed when the language changes', async () => {
  await userEvent.fill(code, 'half-typ')
  await inAct(() => setLocale('de'))
  await expect.element(page.getByRole('textbox', { name: 'Gutscheincode' })).toHaveValue('half-typ')
})
