import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { press } from '#tests/web/render.tsx'
import { openAt, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { PromoCodes } from './promo-codes.tsx'
import { Vouchers } from './vouchers.tsx'

const code = {
  id: '1',
  uses: 2,
  used: 1,
  expires_at: null,
  created_at: '2026-01-02T03:04:05.678Z',
  made_by: null,
  amount: { amount: '500', currency: 'EUR' },
}

beforeEach(startAnew)

it('a row of a voucher or promo code is reached by keys, and opens what is known of it', async () => {
  const listed = (item: object) => ({ status: 200, body: { items: [item], next_cursor: null } })
  await reply(
    'GET /api/staff/vouchers/',
    listed({ ...code, note: 'Fair', state: 'void', voided_at: code.created_at, void_reason: 'It leaked' }),
  )
  await reply(
    'GET /api/staff/promo-codes/',
    listed({
      ...code,
      code: 'SPRING',
      note: 'For the spring',
      state: 'live',
      percent: null,
      editions: null,
      first_order_only: false,
      renewals: 0,
      ended_at: null,
    }),
  )
  const Both = () => (
    <>
      <Vouchers />
      <PromoCodes />
    </>
  )
  await openAt('/staff-catalogue', [{ path: paths.catalogue.pattern, page: () => Promise.resolve(Both) }])
  for (const [name, fact] of [
    ['Fair', 'It leaked'],
    ['SPRING', 'For the spring'],
  ] as const) {
    const row = page.getByRole('table').getByRole('button', { name, exact: true })
    await expect.element(row).toHaveAttribute('data-row')
    await press(row)
    const dialog = page.getByRole('dialog', { name })
    await expect.element(dialog.getByText(fact)).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
  }
})
