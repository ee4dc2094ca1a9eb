import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { press } from '#tests/web/render.tsx'
import { openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { AllHostsPage } from './all-hosts-page.tsx'
import { CustomersPage } from './customers-page.tsx'

const at = '2026-01-02T03:04:05.678Z'
const customer = {
  id: '00000000-0000-4000-8000-000000000002',
  name: 'Anna',
  company: '',
  email: 'anna@example.org',
  country: 'DE',
  state: 'active',
  is_staff: false,
  balance: { amount: '-500', currency: 'EUR' },
  hosts: 1,
  open_tickets: 0,
  created_at: at,
  last_login_at: null,
  matched: null,
}
const host = {
  id: 'h',
  name: 'heron',
  ipv4: null,
  ipv6: null,
  connected: false,
  last_seen_at: null,
  licence: 'free',
  suspended: false,
  paid_until: null,
  auto_renew: false,
  created_at: at,
}

beforeEach(async () => {
  await startAnew()
  const whole = (item: object) => ({ status: 200, body: { items: [item], next_cursor: null } })
  await reply('GET /api/staff/customers/', whole(customer))
  await reply(
    'GET /api/staff/hosts/',
    whole({ host, plan: null, wrong_address: null, customer: { id: customer.id, name: 'Anna' } }),
  )
  await reply('GET /api/plans/', { status: 200, body: { items: [] } })
})

// A narrow window hides spare columns.
const head = (name: string) => page.getByRole('columnheader', { name, exact: true, includeHidden: true })
const pressTwice = async (name: string) => {
  for (const direction of ['descending', 'ascending']) {
    await press(head(name).getByRole('button', { includeHidden: true }))
    await expect.element(head(name)).toHaveAttribute('aria-sort', direction)
    await settled()
  }
}
/** The call of the last press is on its way: one that follows at once would take its place. */
const settled = () => expect.element(page.getByRole('table')).toHaveAttribute('aria-busy', 'false')
const queries = async (path: string) =>
  (await sent('GET', path)).map(({ path: one }) => one.split('?')[1] ?? '')

it('the heads of customers sort in both directions, and leave the filter of debts', async () => {
  await openAt('/staff-customers?debt=yes', [
    { path: paths.customers.pattern, page: () => Promise.resolve(CustomersPage) },
  ])
  await expect.element(head('Balance')).toHaveAttribute('aria-sort', 'ascending')
  await press(head('Balance').getByRole('button', { includeHidden: true }))
  await expect.element(head('Balance')).toHaveAttribute('aria-sort', 'descending')
  await settled()
  await pressTwice('Last sign-in')
  await pressTwice('Customer since')
  await expect
    .poll(() => queries('/api/staff/customers/'), { timeout: 5000 })
    .toEqual(
      [
        '',
        '&sort=balance',
        '&sort=last_login_at',
        '&sort=last_login_at_asc',
        '&sort=created_at',
        '&sort=created_at_asc',
      ].map((sort) => `debt=yes${sort}`),
    )
})

it('the heads of all servers sort in both directions, also among those that end soon', async () => {
  await openAt('/staff-servers?state=ends_soon', [
    { path: paths.allHosts.pattern, page: () => Promise.resolve(AllHostsPage) },
  ])
  await expect.element(head('Licence')).toHaveAttribute('aria-sort', 'ascending')
  await press(head('Licence').getByRole('button', { includeHidden: true }))
  await expect.element(head('Licence')).toHaveAttribute('aria-sort', 'descending')
  await settled()
  await pressTwice('Added')
  await expect
    .poll(() => queries('/api/staff/hosts/'))
    .toEqual(['', '&sort=ends_last', '&sort=newest', '&sort=oldest'].map((sort) => `state=ends_soon${sort}`))
})
