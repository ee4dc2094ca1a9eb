import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import * as z from 'zod/mini'
import '#app/web/styles.css'
import { route } from '#foundation/contract.ts'
import { money } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { pageOf, pageQuery } from '#foundation/paging.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { press, render } from '#tests/web/render.tsx'
import { sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { DataTable, type Column } from './data-table.tsx'
import { List, ListRow, TitleAmount } from './list.tsx'

it('an amount at the begin of a title stands apart from what follows, for eyes and for screen readers', async () => {
  await render(
    <List label="Payments">
      <ListRow
        title={
          <>
            <TitleAmount amount={{ amount: '9000', currency: 'EUR' }} />
            <bdi>Anna Berger</bdi>
          </>
        }
        actions={<button type="button">Book</button>}
      />
    </List>,
  )
  await expect
    .element(page.getByRole('group', { name: '€90.00 Anna Berger', exact: true }))
    .toBeInTheDocument()
  const name = must(document.querySelector('bdi'))
  const amount = must(name.previousElementSibling)
  const gap = name.getBoundingClientRect().left - amount.getBoundingClientRect().right
  expect(gap).toBeGreaterThanOrEqual(4)
})

const payments = route({
  id: 'payments',
  tag: 'Servers',
  method: 'GET',
  path: '/api/payments',
  access: { who: 'customer' },
  summary: '',
  query: z.strictObject({ ...pageQuery, sort: z.optional(z.enum(['oldest', 'amount', 'least'])) }),
  replies: { 200: pageOf(z.strictObject({ id: z.string(), payer: z.string(), amount: money })) },
})

type Order = 'oldest' | 'amount' | 'least' | ''

function Payments() {
  const [sort, setSort] = useState<Order>('')
  return (
    <DataTable
      name="payments"
      label="Payments"
      list={useList(payments, { query: sort ? { sort } : {} })}
      failed=""
      none=""
      idOf={({ id }) => id}
      columns={[
        { name: 'payer', head: 'Payer', isText: true, value: ({ payer }) => payer },
        {
          name: 'number',
          head: 'Number',
          sort: { descending: '', ascending: 'oldest' },
          value: ({ id }) => id,
        },
        {
          name: 'amount',
          head: 'Amount',
          align: 'right',
          sort: { descending: 'amount', ascending: 'least' },
          value: ({ amount }) => amount,
        },
        { name: 'state', head: 'State', isFileOnly: true, value: ({ id }) => (id === '1' ? 'Void' : null) },
      ]}
      sorted={sort}
      onSort={setSort}
    />
  )
}

it('a head of a table that says an order can be pressed, in both directions, by its type', () => {
  type Item = { id: string }
  const both = { name: 'id', head: 'Id', sort: { descending: 'newest', ascending: 'oldest' } } as const
  // @ts-expect-error -- it has one direction only
  const one: Column<Item, 'newest'> = { name: 'id', head: 'Id', sort: { descending: 'newest' } }
  const common = {
    name: 'ids',
    label: 'Ids',
    list: {
      query: { data: { items: [] as Item[] }, error: null, refetch: () => undefined },
      readPages: () => Promise.resolve({ pages: [] }),
    },
    failed: '',
    none: '',
    idOf: ({ id }: Item) => id,
  }
  const sortable: Column<Item, 'newest' | 'oldest'>[] = [both]
  const tables = () => [
    // @ts-expect-error -- no press sorts it
    <DataTable key="dead" {...common} columns={sortable} />,
    // @ts-expect-error -- it says its order, but no press sorts it
    <DataTable key="said" {...common} columns={sortable} sorted="newest" />,
    <DataTable key="whole" {...common} columns={sortable} sorted="newest" onSort={() => {}} />,
    <DataTable key="none" {...common} columns={[{ name: 'id', head: 'Id' }]} />,
  ]
  expect([one.name, tables.length]).toEqual(['id', 0])
})

it('a table sorts by its heads, keeps the chosen columns, and saves the rows of all pages with them', async () => {
  await startAnew()
  localStorage.removeItem('hidden-columns:payments')
  const row = (id: string, payer: string, amount: string) => ({
    id,
    payer,
    amount: { amount, currency: 'EUR' },
  })
  const of = (items: object[], next_cursor: string | null) => ({ status: 200, body: { items, next_cursor } })
  const first = of([row('2', 'Anna', '9000')], 'c2')
  await reply('GET /api/payments', first, first, first, first, of([row('1', '=1+1', '-250')], null))
  await render(
    <QueryClientProvider client={queryClient}>
      <Payments />
    </QueryClientProvider>,
  )
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
  const queries = async () => (await sent('GET', '/api/payments')).map(({ path }) => path.split('?')[1] ?? '')
  await expect.element(head('Number')).toHaveAttribute('aria-sort', 'descending')
  await expect.element(head('Amount')).not.toHaveAttribute('aria-sort')
  await expect.element(head('Payer').getByRole('button')).not.toBeInTheDocument()

  await press(page.getByRole('button', { name: 'Amount' }))
  await expect.element(head('Amount')).toHaveAttribute('aria-sort', 'descending')
  await press(page.getByRole('button', { name: 'Number' }))
  await press(page.getByRole('button', { name: 'Number' }))
  await expect.element(head('Number')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(queries).toEqual(['', 'sort=amount', 'sort=oldest'])

  await expect.element(head('State')).not.toBeInTheDocument()

  await press(page.getByRole('button', { name: 'Columns' }))
  await expect.element(page.getByRole('menuitemcheckbox', { name: 'State' })).not.toBeInTheDocument()
  await press(page.getByRole('menuitemcheckbox', { name: 'Number' }))
  await expect.element(head('Number')).not.toBeInTheDocument()
  expect(localStorage.getItem('hidden-columns:payments')).toBe('number')

  const saved: Promise<string>[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(fetch(this.href).then((response) => response.text()))
  })
  await press(page.getByRole('button', { name: 'Save Payments as CSV' }))
  await expect.poll(() => saved.length).toBe(1)
  expect(await saved[0]).toBe("Payer,Amount,State,Currency\r\nAnna,90.00,,EUR\r\n'=1+1,-2.50,Void,EUR\r\n")
  expect((await queries()).slice(3)).toEqual(['sort=oldest&limit=100', 'sort=oldest&limit=100&cursor=c2'])
})
