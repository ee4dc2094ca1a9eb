import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { press } from '#tests/web/render.tsx'
import { openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { Statements } from './statements.tsx'

const line = {
  id: '00000000-0000-4000-8000-000000000001',
  booked_on: '2026-01-02',
  amount: { amount: '500', currency: 'EUR' },
  name: 'Crow Ltd',
  iban: '',
  text: 'For the servers',
  match: 'exact',
  cause: null,
  state: 'booked',
  same_as: null,
  customer: null,
  candidates: [],
}

beforeEach(startAnew)

it('a search finds payments of all states and says theirs; a state that is chosen ends it', async () => {
  const body = { items: [line], next_cursor: null, open: { exact: 0, ambiguous: 0, unknown: 0 } }
  await reply('GET /api/staff/bank-lines/', { status: 200, body })
  await openAt('/staff-transfers', [
    { path: paths.transfers.pattern, page: () => Promise.resolve(Statements) },
  ])
  const table = page.getByRole('table', { name: 'Payments' })
  const head = table.getByRole('columnheader', { name: 'Status' })
  await expect.element(page.getByRole('radio', { name: 'To book' })).toBeChecked()
  await expect.element(head).not.toBeInTheDocument()
  const search = page.getByRole('searchbox', { name: 'Find a payment' })
  await userEvent.fill(search, 'servers')
  await expect.element(head).toBeVisible()
  await expect.element(table.getByText('Booked')).toBeVisible()
  for (const radio of page.getByRole('radio').elements()) expect(radio).not.toBeChecked()
  // The focus leaves the field, as it does for a press: nothing that a person types in is taken away.
  await userEvent.keyboard('{Tab}')
  await press(page.getByRole('radio', { name: 'Put aside' }))
  await expect.element(search).toHaveValue('')
  await expect.element(page.getByRole('radio', { name: 'Put aside' })).toBeChecked()
  const queries = (await sent('GET', '/api/staff/bank-lines/')).map(({ path }) => path.split('?')[1])
  expect(queries).toEqual(['state=open', 'state=any&q=servers', 'state=ignored'])
})
