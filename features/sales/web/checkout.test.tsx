import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Checkout } from '#features/sales/checkouts.ts'
import { routes } from '#features/finance/web/feature.tsx'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { balanceIs, inAll, startLicences } from '#tests/web/licence-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { euros, lastToast, openAt, sent } from '#tests/web/routed-pages.tsx'
import { bodies, button, field, inDays, openServers, paidHost, visible } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

const path = '/api/finances/checkouts/'
const dialog = page.getByRole('dialog', { name: 'New server' })
const nothing = { status: 200, body: { items: [], next_cursor: null } }
const bank = { account: 'Example GmbH, DE89 3704 0044', iban: null, epc: null, reference: 'HD-ABCD-1234-76' }

const checkout = ({ top_up, ...more }: Partial<Omit<Checkout, 'top_up'>> & { top_up?: object } = {}) => ({
  id: 'C1',
  for: 'order',
  state: 'open',
  total: euros('1190'),
  top_up: {
    id: 'C1',
    status: 'pending',
    provider: 'test',
    amount: euros('1000'),
    created_at: inDays(0),
    redirect_url: '#provider',
    bank: null,
    ...top_up,
  },
  plan: inAll('Standard'),
  host_id: null,
  host_name: 'web-1',
  refusal: null,
  created_at: inDays(0),
  expires_at: inDays(1),
  ended_at: null,
  ...more,
})
const stateIs = (...given: Parameters<typeof checkout>) =>
  reply(`GET ${path}C1/`, { status: 200, body: checkout(...given) })

beforeEach(async () => {
  await startLicences()
  window.location.hash = ''
  await reply(`GET ${path}`, nothing)
  await reply('GET /api/finances/transactions/', nothing)
  await reply('GET /api/finances/top-ups/', nothing)
})

describe('H-03 an order whose balance is short', () => {
  const open = async () => {
    await balanceIs('190')
    const opened = await openServers('/servers/list')
    await userEvent.click(button('New server'))
    await userEvent.fill(field('Name'), 'web-1')
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    return opened
  }

  it('is sent once with what is to be paid, and goes on to the provider’s page', async () => {
    await reply(`POST ${path}`, { status: 201, body: checkout(), hold_ms: 100 })
    await open()
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Pay €10.00 and order' }))
    await expect.poll(() => window.location.hash).toBe('#provider')
    expect(await bodies('POST', path)).toEqual([
      {
        for: 'order',
        provider: 'test',
        name: 'web-1',
        ipv4: '192.0.2.7',
        plan: 'standard',
        expected_total: euros('1190'),
        expected_payment: euros('1000'),
      },
    ])
    expect((await sent('POST', path))[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(await sent('POST', '/api/hosts/order/')).toEqual([])
  })

  it('leads to the details of the transfer, where it is paid by one', async () => {
    const top_up = { provider: 'bank', redirect_url: null, bank }
    await reply(`POST ${path}`, { status: 201, body: checkout({ top_up }) })
    const { address } = await open()
    await userEvent.click(dialog.getByRole('button', { name: 'Pay €10.00 and order' }))
    await expect.poll(address).toBe('/finances?checkout=C1')
  })

  it('keeps what was typed when it is refused, and when the language changes', async () => {
    const errors = [{ code: 'ipv4_licensed', message: 'x', param: 'ipv4' }]
    await reply(`POST ${path}`, { status: 409, body: { status: 409, errors } })
    await open()
    await userEvent.click(dialog.getByRole('button', { name: 'Pay €10.00 and order' }))
    await visible(/already has a paid licence for this address/)
    await inAct(() => setLocale('de'))
    await expect.element(field('IPv4-Adresse')).toHaveValue('192.0.2.7')
    await visible('Zahlungspflichtig bestellen – 10,00 € zahlen')
  })
})

describe('the page after the payment', () => {
  const openOne = () => openAt('/finances?checkout=C1', routes)

  it('follows the payment until the order is done, and leads to the server', async () => {
    await stateIs()
    await openOne()
    await visible('Waiting for your payment of €10.00')
    await visible(/^Order of Standard for web-1: done as soon as/)
    await expect
      .element(page.getByRole('link', { name: 'Continue to payment' }))
      .toHaveAttribute('href', '#provider')
    await stateIs({ state: 'done', host_id: paidHost.id, ended_at: inDays(0) })
    await visible('Paid and done')
    await expect
      .element(page.getByRole('link', { name: 'Open licence' }))
      .toHaveAttribute('href', `/servers/host/${paidHost.id}`)
  })

  it.each([
    [
      { state: 'failed', refusal: 'ipv4_licensed' },
      /Another server now has .* The money is on your balance\./,
    ],
    [{ state: 'failed', refusal: 'payment_failed' }, /nothing was ordered, and nothing was charged/],
    [{ state: 'expired', refusal: 'late' }, /The order had ended before the payment arrived\./],
    [{ state: 'expired' }, /no payment arrived in time/],
    [{ state: 'cancelled' }, /Money that still arrives goes to your balance/],
  ] as const)('says why nothing was ordered, and leads back to the order: %o', async (more, text) => {
    await stateIs({ ...more, ended_at: inDays(0) })
    await openOne()
    await visible(text)
    await expect
      .element(page.getByRole('link', { name: 'Order again' }))
      .toHaveAttribute('href', '/servers/list?act=order')
  })

  it('lists the orders that wait for their money, with the details of a transfer, and cancels one', async () => {
    const top_up = { provider: 'bank', redirect_url: null, bank }
    await reply(`GET ${path}`, {
      status: 200,
      body: { items: [checkout({ top_up }), checkout({ id: 'C2', for: 'renewal' })], next_cursor: null },
    })
    await openAt('/finances', routes)
    await visible('Open orders')
    await visible('Renewal of web-1 with Standard')
    await userEvent.click(page.getByRole('button', { name: 'Show details' }))
    await visible('HD-ABCD-1234-76')
    await reply(`DELETE ${path}C1/`, { status: 200, body: checkout({ state: 'cancelled' }) })
    await reply(`GET ${path}`, nothing)
    await userEvent.click(page.getByRole('button', { name: 'Cancel order' }).first())
    const sure = page.getByRole('dialog', { name: 'Cancel this order?' })
    await userEvent.click(sure.getByRole('button', { name: 'Cancel order' }))
    await expect.poll(() => lastToast()).toBe('Order cancelled')
    await expect.poll(() => page.getByText('Open orders').elements()).toEqual([])
  })
})
