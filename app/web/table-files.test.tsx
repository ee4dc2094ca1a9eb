import { Fragment } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { invoiceColumns } from '#features/books/web/invoice-columns.tsx'
import { promoColumns } from '#features/catalogue/web/promo-columns.tsx'
import { voucherColumns } from '#features/catalogue/web/voucher-columns.tsx'
import { customerColumns } from '#features/customers/web/customer-columns.tsx'
import { hostColumns } from '#features/customers/web/host-columns.tsx'
import { operatorColumns } from '#features/webhooks/web/operator-table.tsx'
import type { Column } from '#foundation/web/ui/data-table-columns.ts'
import { takeAway } from '#tests/web/render.tsx'
import { openAt, startAnew } from '#tests/web/routed-pages.tsx'

/** The words that a row shows and its line of the file lacks. Dates and amounts, which the file writes in another way, have digits. */
async function wordsOnlyShown<Item>(columns: readonly Column<Item, string>[], item: Item): Promise<string[]> {
  const Row = () => (
    <ul aria-label="row">
      {columns.map(({ name, value, cell, isFileOnly }) =>
        value && cell && !isFileOnly ? (
          <li key={name}>
            <Fragment>{cell(item)}</Fragment>
          </li>
        ) : null,
      )}
    </ul>
  )
  await openAt('/row', [{ path: '/row', page: () => Promise.resolve(Row) }])
  const list = page.getByRole('list', { name: 'row' })
  await expect.element(list).toBeInTheDocument()
  const row = list.element()
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
  const words: string[] = []
  while (walker.nextNode()) words.push(walker.currentNode.textContent?.replace('→ ', '').trim() ?? '')
  await takeAway()
  const file = columns.map(({ value }) => JSON.stringify(value?.(item) ?? '')).join('\n')
  return words.filter(
    (word) => word !== '' && (/^[\d.]{7,}$/.test(word) || !/\d/.test(word)) && !file.includes(word),
  )
}

const at = '2020-01-02T03:04:05.000Z'
const eur = { amount: '500', currency: 'EUR' }
const customer = {
  id: 'a',
  name: 'Anna',
  company: 'Crow Ltd',
  email: 'anna@example.org',
  country: 'DE',
  is_staff: true,
  balance: eur,
  hosts: 0,
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
  licence: 'expired' as const,
  suspended: false,
  paid_until: at,
  auto_renew: false,
  created_at: at,
}
const server = { host, plan: null, wrong_address: null, customer: { id: 'a', name: 'Anna' } }
const code = {
  id: '1',
  uses: 2,
  used: 1,
  note: 'For the fair',
  expires_at: null,
  created_at: at,
  made_by: null,
}
const voucher = { ...code, amount: eur, voided_at: null, void_reason: null }
const promo = {
  ...code,
  code: 'FAIR',
  percent: 10,
  amount: null,
  editions: null,
  first_order_only: false,
  renewals: 0,
  ended_at: null,
}
const endpoint = {
  id: 'w',
  url: 'https://example.org/',
  name: 'Hook',
  types: [],
  state: 'enabled' as const,
  failing_since: null,
  last_ok_at: null,
  waiting: 0,
  recent: { succeeded: 0, failed: 0 },
}
const invoice = {
  id: 'i',
  number: 'HD-2026-000001',
  kind: 'invoice' as const,
  status: 'paid' as const,
  cancels: false,
  buyer: 'Anna',
  customer_id: 'a',
  vat_kind: 'standard',
  country: 'DE',
  issued_on: '2026-01-02',
  issued_at: at,
  total: eur,
}

type Shown = () => Promise<string[]>

/** Rows of each state of a list. Only what the columns read is in them. */
const of = <Item,>(columns: () => readonly Column<Item, string>[], items: readonly object[]): Shown[] =>
  items.map((item) => () => wordsOnlyShown(columns(), item as Item))

const hosts = () => hostColumns('en', { onHelp: undefined, onSuspend: undefined })
const rows: Record<string, Shown[]> = {
  customers: of(
    () => customerColumns({}),
    (['active', 'unconfirmed', 'blocked', 'locked'] as const).map((state) => ({ ...customer, state })),
  ),
  servers: of(hosts, [
    server,
    { ...server, host: { ...host, suspended: true } },
    { ...server, host: { ...host, licence: 'free', paid_until: null } },
    {
      ...server,
      host: { ...host, ipv4: '10.0.0.1', connected: true, last_seen_at: at },
      wrong_address: '10.0.0.2',
    },
  ]),
  vouchers: of(
    () => voucherColumns(() => {}, undefined),
    [
      { ...voucher, state: 'live' },
      { ...voucher, state: 'void', void_reason: 'Leaked' },
    ],
  ),
  'promo codes': of(
    () => promoColumns(() => {}, undefined),
    [
      { ...promo, state: 'live' },
      { ...promo, state: 'ended' },
    ],
  ),
  documents: of(
    () => invoiceColumns(undefined),
    [
      invoice,
      { ...invoice, status: 'void' },
      { ...invoice, kind: 'credit_note' },
      { ...invoice, kind: 'credit_note', cancels: true },
    ],
  ),
  webhooks: of(operatorColumns, [
    endpoint,
    { ...endpoint, failing_since: at },
    { ...endpoint, state: 'paused' },
    { ...endpoint, state: 'disabled' },
  ]),
}

beforeEach(startAnew)

it.each(Object.entries(rows))(
  'the file of %s has each word that the page shows of a state',
  async (_name, shown) => {
    for (const wordsOf of shown) expect(await wordsOf()).toEqual([])
  },
)
