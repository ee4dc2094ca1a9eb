import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { balanceIs, openLicence, previewOfOne, standard, startLicences } from '#tests/web/licence-pages.tsx'
import { euros, refused } from '#tests/web/routed-pages.tsx'
import { bodies, button, field, openServers, paidHost, visible } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

const promoPath = '/api/plans/promo/'
const dialog = page.getByRole('dialog')
const lowered = {
  ...standard,
  price_net: euros('800'),
  vat: euros('152'),
  price_total: euros('952'),
  promo: {
    code: 'SUMMER',
    percent: 20,
    renewals: 0,
    net_before: standard.price_net,
    total_before: standard.price_total,
  },
}
const shown = { code: 'SUMMER', percent: 20, amount: null, renewals: 0, expires_at: null, items: [lowered] }

beforeEach(async () => {
  await startLicences()
  await balanceIs('190')
  await reply(`POST ${promoPath}`, { status: 200, body: shown })
})

async function typeCode() {
  await userEvent.click(dialog.getByText('Do you have a promo code?'))
  await userEvent.fill(field('Promo code'), 'summer')
}

async function topUp() {
  await userEvent.click(dialog.getByRole('link', { name: 'Top up balance' }))
  await visible('elsewhere')
}

// Seen red: the code was lost without a word, and the price was the full one.
describe('H-03 an order that waited for money goes on with all that was typed', () => {
  it('a promo code that was applied lowers the order of a server again', async () => {
    await openServers('/servers/list')
    await userEvent.click(button('New server'))
    await typeCode()
    await userEvent.click(dialog.getByRole('button', { name: 'Apply' }))
    await visible('Your balance is €7.62 short. Pay this now, and we order as soon as it arrives.')
    await topUp()
    await openServers('/servers/list?act=order')
    await visible('Your balance is €7.62 short. Pay this now, and we order as soon as it arrives.')
    await expect.element(dialog.getByRole('status').filter({ hasText: 'SUMMER' })).toBeVisible()
  })

  it('a promo code that was typed is applied to the renewal, and its refusal stands at it', async () => {
    await openLicence(paidHost, '?act=renew')
    await typeCode()
    await topUp()
    await reply(`POST ${promoPath}`, refused(409, 'promo_used_up', 'promo'))
    await openLicence(paidHost, '?act=renew')
    await expect.element(field('Promo code')).toHaveValue('summer')
    await expect.element(field('Promo code')).toHaveAttribute('aria-invalid', 'true')
    expect(await bodies('POST', promoPath)).toMatchObject([{ code: 'summer', host: paidHost.id }])
  })

  it('the lines, the code and the reference of several servers', async () => {
    const poor = previewOfOne(standard)
    const payments = poor.payments.map((payment) => ({
      ...payment,
      balance_after: euros('-1000'),
      refusal: 'insufficient_balance',
    }))
    await reply('POST /api/hosts/bulk/preview/', { status: 200, body: { ...poor, payments } })
    await openServers('/servers/list')
    await userEvent.click(button('New server'))
    await userEvent.click(dialog.getByText('Several servers'))
    await userEvent.fill(field('Servers'), 'web-1 192.0.2.7')
    await userEvent.click(dialog.getByText('Order number for the invoice'))
    await userEvent.fill(field('Order reference'), 'PO-7')
    await typeCode()
    await topUp()
    await openServers('/servers/list?act=order')
    await expect.element(field('Servers')).toHaveValue('web-1 192.0.2.7')
    await expect.element(field('Order reference')).toHaveValue('PO-7')
    await expect
      .poll(async () => (await bodies('POST', '/api/hosts/bulk/preview/')).at(-1))
      .toMatchObject({ promo: 'SUMMER' })
  })

  it('the plan of an upgrade', async () => {
    const plans = ['Business', 'Ultra'].map((name) => ({
      ...standard,
      slug: name.toLowerCase(),
      name: { en: name, de: name, ru: name },
      upgrade: true,
    }))
    await reply('GET /api/plans/', { status: 200, body: { items: plans } })
    const sums = {
      credit: euros('0'),
      credit_apart: euros('0'),
      charge: euros('1190'),
      pay_now: euros('1190'),
    }
    const times = { as_of: '2026-11-24T03:00:00.000Z', valid_until: '2026-11-24T03:10:00.000Z' }
    const poor = { ...sums, ...times, plan: plans[1], periods: [], renewal: euros('1190') }
    await reply(`POST /api/hosts/${paidHost.id}/licence/preview/`, {
      status: 200,
      body: { ...poor, balance_after: euros('-1000') },
    })
    await openLicence(paidHost)
    await userEvent.click(button('Change plan'))
    await userEvent.click(dialog.getByRole('radio', { name: /^Ultra/ }))
    await topUp()
    await openLicence(paidHost, '?act=upgrade')
    await expect.element(dialog.getByRole('radio', { name: /^Ultra/ })).toBeChecked()
  })
})

// Seen red: the plans of the list alone were loaded again, and the box never appeared.
it('L-02 rule 66: an order with a code that is refused for the lack of the box then shows it', async () => {
  await balanceIs('2000')
  const withBox = { ...lowered, withdrawal_url: 'https://nordic.example/withdrawal' }
  const now = { status: 200, body: { ...shown, items: [withBox] } }
  await reply(`POST ${promoPath}`, { status: 200, body: shown }, now)
  await reply('POST /api/hosts/order/', refused(400, 'required', 'begin_now'))
  await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await userEvent.fill(field('IPv4 address'), '192.0.2.7')
  await typeCode()
  await userEvent.click(dialog.getByRole('button', { name: 'Apply' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Order for €9.52' }))
  await expect.element(dialog.getByRole('checkbox', { name: /^Start right away/ })).toBeVisible()
})
