import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { expect, it, beforeEach } from 'vitest'
import { listPlans } from '#features/licences/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { page, userEvent } from 'vitest/browser'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import {
  editionOf,
  historyPath,
  inAll,
  openLicence,
  periodOf,
  standard,
  startLicences,
} from '#tests/web/licence-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { euros, lastToast, refused } from '#tests/web/routed-pages.tsx'
import {
  bodies,
  button,
  field,
  inDays,
  oneHost,
  openServers,
  paidHost,
  visible,
} from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startLicences)

const url = 'https://nordic.example/withdrawal'
const order_id = '3f1c8a52-6f0e-4a3b-9d57-2b8e4c1a7e01'
const path = `${oneHost(paidHost)}licence/withdrawal/`
const declared = { declared_at: inDays(0), proposed_refund: euros('800') }
const historyWith = (more: object) => ({
  status: 200,
  body: { items: [periodOf(more)], next_cursor: null },
})

it('L-02 an order of a consumer shows the instruction, demands the box, and keeps what was typed', async () => {
  await reply('GET /api/plans/', {
    status: 200,
    body: {
      items: [
        {
          slug: 'standard',
          name: inAll('Standard'),
          ...editionOf('Standard'),
          per_month: euros('1190'),
          saving: null,
          term: 'P1M',
          price_net: euros('1000'),
          vat_rate: '19',
          vat: euros('190'),
          price_total: euros('1190'),
          withdrawal_url: url,
        },
      ],
    },
  })
  await reply('POST /api/hosts/order/', refused(409, 'ipv4_licensed'))
  await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await userEvent.fill(field('Name'), 'web-1')
  await userEvent.fill(field('IPv4 address'), '192.0.2.7')
  await expect
    .element(page.getByRole('link', { name: 'Instruction on withdrawal' }))
    .toHaveAttribute('href', url)
  const box = page.getByRole('checkbox', { name: /^Start right away/ })
  const pay = page.getByRole('button', { name: /^Order for/ })
  await userEvent.click(pay)
  await expect.element(box).toHaveAttribute('aria-invalid', 'true')
  expect(await bodies('POST', '/api/hosts/order/')).toEqual([])
  await userEvent.click(box)
  await userEvent.click(pay)
  await expect.poll(() => bodies('POST', '/api/hosts/order/')).toMatchObject([{ begin_now: true }])
  await inAct(() => setLocale('de'))
  await expect.element(page.getByRole('checkbox', { name: /^Sofort beginnen/ })).toBeChecked()
  await expect.element(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('web-1')
})

it('L-02 rule 66: a plan that a code makes free shows the box with an extra that costs something, and not without', async () => {
  const setup = { slug: 'setup', name: inAll('Setup'), kind: 'setup' as const }
  const extras = [{ ...setup, price_net: euros('500'), most: 1, quantity: 1 }]
  const nothing = { price_net: euros('0'), vat: euros('0'), price_total: euros('0') }
  const free = { ...standard, ...nothing, withdrawal_url: url }
  const box = page.getByRole('checkbox', { name: /^Start right away/ })
  await reply(
    'GET /api/plans/',
    { status: 200, body: { items: [{ ...free, extras }] } },
    { status: 200, body: { items: [free] } },
  )
  await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await expect.element(page.getByRole('button', { name: 'Order for €5.95' })).toBeVisible()
  await expect.element(box).toBeVisible()
  await inAct(() => refreshQueries(listPlans))
  await expect.element(page.getByRole('button', { name: 'Order for €0.00' })).toBeVisible()
  expect(box.elements()).toEqual([])
})

it('L-02 a withdrawal names what ends, stays open after a failure, and is shown afterwards', async () => {
  const open = { order_id, until: inDays(4), declared: null }
  await reply(
    `GET ${historyPath}`,
    historyWith({ withdrawal: open }),
    historyWith({ ended: 'refunded', withdrawal: { ...open, declared } }),
  )
  await reply(`POST ${path}`, { status: 500 }, { status: 201, body: declared })
  await openLicence(paidHost)
  await userEvent.click(button('Withdraw'))
  await visible(/the licence of “web-1” ends with it/)
  const last = formatDateTime(new Date(Date.parse(open.until) - 60_000).toISOString())
  await expect.poll(() => page.getByRole('dialog').element().textContent).toContain(last)
  await userEvent.click(button('Confirm withdrawal'))
  await expect.element(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await userEvent.click(button('Confirm withdrawal'))
  await expect.poll(lastToast).toBe('Withdrawal received. Refund proposed: €8.00')
  await visible(/refund of €8.00 proposed/)
  expect(page.getByRole('button', { name: 'Withdraw', exact: true }).elements()).toEqual([])
  expect(await bodies('POST', path)).toEqual([{ order_id }, { order_id }])
})

it('L-02 an order whose 14 days are over offers no withdrawal', async () => {
  await reply(
    `GET ${historyPath}`,
    historyWith({ withdrawal: { order_id, until: inDays(-1), declared: null } }),
  )
  await openLicence(paidHost)
  await visible('Standard')
  expect(page.getByRole('button', { name: 'Withdraw', exact: true }).elements()).toEqual([])
})
