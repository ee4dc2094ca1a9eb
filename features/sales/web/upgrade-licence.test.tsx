import { expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Plan } from '#features/licences/contract.ts'
import type { UpgradePreview } from '#features/sales/upgrade-preview.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { editionOf, inAll, openLicence, startLicences } from '#tests/web/licence-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { euros, lastToast, refused } from '#tests/web/routed-pages.tsx'
import { bodies, button, inDays, oneHost, paidHost, visible } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startLicences)

const previewPath = `${oneHost(paidHost)}licence/preview/`
const upgradePath = `${oneHost(paidHost)}licence/upgrade/`
const dialog = page.getByRole('dialog')
const pay = dialog.getByRole('button', { name: /^Upgrade for/ })

const higher = (slug: string, name: string): Plan => ({
  slug,
  name: inAll(name),
  ...editionOf(name),
  per_month: euros('11900'),
  saving: null,
  term: 'P1M',
  price_net: euros('10000'),
  nameless_up_to: euros('25000'),
  vat_rate: '19',
  vat: euros('1900'),
  price_total: euros('11900'),
  upgrade: true,
})

/** The preview of an upgrade for 20 days, with a credit of 7.93 for the unused time. */
const costs = (pay_now: string, more: Partial<UpgradePreview> = {}): UpgradePreview => ({
  plan: { slug: 'business', name: inAll('Business') },
  as_of: '2026-11-24T03:00:00.000Z',
  valid_until: inDays(0.01),
  periods: [
    {
      plan: inAll('Standard'),
      starts_at: inDays(0),
      ends_at: inDays(20),
      credit: euros('793'),
      credited_apart: false,
      net: euros('6667'),
      vat: euros('1267'),
      price: euros('7934'),
    },
  ],
  credit: euros('793'),
  charge: euros('7934'),
  credit_apart: euros('0'),
  pay_now: euros(pay_now),
  renewal: euros('11900'),
  balance_after: euros('100'),
  ...more,
})
const shows = (...previews: UpgradePreview[]) =>
  reply(`POST ${previewPath}`, ...previews.map((body) => ({ status: 200, body })))

async function openUpgrade() {
  await reply('GET /api/plans/', {
    status: 200,
    body: { items: [higher('business', 'Business'), higher('ultra', 'Ultra')] },
  })
  await openLicence(paidHost)
  await userEvent.click(button('Change plan'))
}

const upgraded = { status: 201, body: { host: paidHost, credits: [], charges: [] } }

it('L-16 the credit, the price and the end stand there before an upgrade can be paid, which names what was shown', async () => {
  await shows(costs('7141'))
  await reply(`POST ${upgradePath}`, upgraded)
  await openUpgrade()
  await expect.element(pay).toBeEnabled()
  await expect.element(pay).toHaveTextContent('Upgrade for €71.41')
  const summary = dialog.element().querySelector('dl')?.textContent
  expect(summary).toContain(`Business, ${formatDate(inDays(0))} – ${formatDate(inDays(20))}€79.34`)
  expect(summary).toMatch(/Refund for the unused time of Standard[-−]€7\.93/)
  expect(summary).toContain('Balance after order€1.00')
  await userEvent.click(pay)
  await expect.poll(lastToast).toBe('web-1 was upgraded')
  expect(await bodies('POST', upgradePath)).toEqual([
    { plan: 'business', scope: 'all', expected_total: euros('7141'), as_of: '2026-11-24T03:00:00.000Z' },
  ])
})

it('L-18 a credit that goes to the account which paid before is not shown as taken off the price', async () => {
  const { periods, ...sums } = costs('7934', { credit_apart: euros('793') })
  await shows({ ...sums, periods: periods.map((period) => ({ ...period, credited_apart: true })) })
  await openUpgrade()
  await expect.element(pay).toHaveTextContent('Upgrade for €79.34')
  const summary = dialog.element().querySelector('dl')?.textContent
  expect(summary).toContain('credited to the account that paid for it and not taken off the price€7.93')
  expect(summary).not.toMatch(/[-−]€7\.93/)
})

it('L-16 a price that changed meanwhile is shown beside the old one, and paid by a second press only', async () => {
  await shows(costs('7141'))
  const errors = [{ code: 'price_changed', message: 'x' }]
  const preview = costs('7500', { as_of: '2026-11-24T03:05:00.000Z' })
  await reply(`POST ${upgradePath}`, { status: 409, body: { status: 409, errors, preview } }, upgraded)
  await openUpgrade()
  await userEvent.click(pay)
  await expect.element(pay).toHaveTextContent('Upgrade for €75.00')
  expect(dialog.element().querySelector('dl s')?.textContent).toBe('€71.41')
  expect(await bodies('POST', upgradePath)).toHaveLength(1)
  await userEvent.click(pay)
  await expect.poll(lastToast).toBe('web-1 was upgraded')
  expect((await bodies('POST', upgradePath))[1]).toMatchObject({
    expected_total: euros('7500'),
    as_of: '2026-11-24T03:05:00.000Z',
  })
})

it('L-16 the plan that was chosen stays after a failure and in another language', async () => {
  await shows(costs('7141'), costs('9000', { plan: { slug: 'ultra', name: inAll('Ultra') } }))
  await reply(`POST ${upgradePath}`, refused(409, 'too_little_left'), upgraded)
  await openUpgrade()
  await userEvent.click(dialog.getByRole('radio', { name: /^Ultra/ }))
  await expect.element(pay).toHaveTextContent('Upgrade for €90.00')
  await userEvent.click(pay)
  await visible(/^Too little of the paid term is left for an upgrade/)
  // The upgrade is refused for another reason than its price, so its price is computed anew.
  const asked = async () => (await bodies('POST', previewPath)).map((body) => (body as { plan: string }).plan)
  await expect.poll(asked).toEqual(['business', 'ultra', 'ultra'])
  await inAct(() => setLocale('de'))
  await expect.element(dialog.getByRole('radio', { name: /^Ultra/ })).toBeChecked()
  expect(await bodies('POST', upgradePath)).toMatchObject([{ plan: 'ultra' }])
})

it('L-17 where the balance is short, what lacks is paid and the upgrade is done with it', async () => {
  await shows(costs('7141', { balance_after: euros('-641') }))
  await reply('POST /api/finances/checkouts/', refused(409, 'payment_changed'))
  await openUpgrade()
  await visible('Your balance is €6.41 short. Pay this now, and we order as soon as it arrives.')
  await expect
    .element(dialog.getByRole('link', { name: 'Top up balance' }))
    .toHaveAttribute('href', expect.stringContaining('missing=641'))
  expect(pay.elements()).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Pay €6.41 and upgrade' }))
  await visible(/^Your balance has changed/)
  expect(await bodies('POST', '/api/finances/checkouts/')).toMatchObject([
    {
      for: 'upgrade',
      host_id: paidHost.id,
      plan: 'business',
      expected_total: euros('7141'),
      expected_payment: euros('641'),
      provider: 'test',
    },
  ])
})

it('L-17 who has the highest edition reads so, and can pay nothing', async () => {
  await reply('GET /api/plans/', { status: 200, body: { items: [{ ...higher('a', 'A'), upgrade: false }] } })
  await openLicence(paidHost)
  await userEvent.click(button('Change plan'))
  // The dialog offers the plans for the end of the paid time first.
  await userEvent.click(dialog.getByText('Now', { exact: true }))
  await visible(/You already have the highest edition/)
  await expect.element(dialog.getByRole('button', { name: 'Upgrade', exact: true })).toBeDisabled()
})

// Seen red while the plan of the list decided: one that a held code makes free named no instruction, and the upgrade demanded the box.
it('L-02 the box of an upgrade is asked for where its preview says so', async () => {
  await shows(costs('7141', { withdrawal_url: 'https://nordic.example/withdrawal' }))
  await reply(`POST ${upgradePath}`, upgraded)
  await openUpgrade()
  await userEvent.click(dialog.getByRole('checkbox', { name: /^Start right away/ }))
  await userEvent.click(pay)
  await expect.poll(() => bodies('POST', upgradePath)).toMatchObject([{ begin_now: true }])
})
