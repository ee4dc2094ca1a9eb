import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { VIEWING } from '#foundation/web/viewing.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct } from '#tests/web/render.tsx'
import { euros, lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './feature.tsx'

const FINANCES = 'GET /api/finances/'
const TRANSACTIONS = 'GET /api/finances/transactions/'
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const finances = {
  balance: euros('12345'),
  gift: euros('0'),
  lasts_until: inDays(40),
  upcoming: [
    { host_id: 'h1', host_name: 'brave-otter-42', due_at: inDays(3), total: euros('2380') },
    { host_id: 'h2', host_name: 'calm-heron-7', due_at: inDays(40), total: euros('11900') },
  ],
  top_up: { providers: ['test'], min: euros('500'), max: euros('500000'), balance_cap: euros('1000000') },
}
const transaction = (id: string, more: object = {}) => ({
  id,
  type: 'fill_balance',
  amount: euros('5000'),
  balance_after: euros('12345'),
  created_at: '2026-11-20T10:00:00.000Z',
  description: { code: 'top_up', params: { provider: 'stripe' } },
  invoice_id: null,
  host_id: null,
  ...more,
})
const order = {
  type: 'spend',
  amount: euros('-2380'),
  description: {
    code: 'licence_order',
    params: { host: 'brave-otter-42', plan: { en: 'Standard', de: 'Standard', ru: 'Стандарт' } },
  },
}
const list = (items: object[], next_cursor: string | null = null) => ({
  status: 200,
  body: { items, next_cursor },
})
const rows = () =>
  [...document.querySelectorAll('ul[aria-label=Transactions] > li')].map((row) => row.textContent)
const queries = async () =>
  (await sent('GET', '/api/finances/transactions/')).map(({ path }) => path.split('?')[1] ?? '')

beforeEach(async () => {
  await startAnew()
  await reply(FINANCES, { status: 200, body: finances })
  await reply(TRANSACTIONS, list([transaction('t1')]))
  await reply('GET /api/finances/top-ups/', list([]))
})

describe('the balance', () => {
  it('F-01 shows until when it covers renewals, the upcoming charges, and which charge it does not cover', async () => {
    await openAt('/finances', routes)
    await expect.element(page.getByText('€123.45').first()).toBeVisible()
    await expect.element(page.getByText(/never paid out/)).toHaveLength(0)
    await expect.element(page.getByText(/^Covers all renewals before/)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'brave-otter-42' }))
      .toHaveAttribute('href', '/servers/host/h1')
    await expect.element(page.getByText('€142.80 in total')).toBeVisible()
    await expect.element(page.getByText('Not covered')).toHaveLength(1)
  })

  it('B-15 says how much of the balance was given', async () => {
    await reply(FINANCES, { status: 200, body: { ...finances, gift: euros('1500') } })
    await openAt('/finances', routes)
    await expect.element(page.getByText(/€15.00 of it from vouchers and credit/)).toBeVisible()
  })

  it.each(['full', 'read'])(
    'opens the top-up that an order lacked, but not for a helper who may read only: %s',
    async (role) => {
      sessionStorage.setItem(VIEWING, JSON.stringify({ id: 'a1', name: 'Anna', role }))
      await openAt('/finances?missing=500', routes)
      await expect.element(page.getByText('€123.45')).toBeInTheDocument()
      const dialog = page.getByRole('dialog', { name: 'Top up balance' })
      if (role === 'full') await expect.element(dialog).toBeVisible()
      else expect(dialog.elements()).toEqual([])
      sessionStorage.removeItem(VIEWING)
    },
  )

  it('states plainly that a negative balance stops orders, and how much is missing', async () => {
    await reply(FINANCES, { status: 200, body: { ...finances, balance: euros('-3765') } })
    await openAt('/finances', routes)
    await expect.element(page.getByText('Your balance is negative')).toBeVisible()
    await expect.element(page.getByText(/Top up at least €37.65/)).toBeVisible()
  })

  it.each([
    [{ upcoming: [], lasts_until: null }, /No automatic charges/],
    [{ lasts_until: null }, /all renewals for the next ten years/],
    [{ balance: euros('100'), lasts_until: finances.upcoming[0]?.due_at }, /Not enough for the next renewal/],
  ])('has words for every state: %#', async (part, words) => {
    await reply(FINANCES, { status: 200, body: { ...finances, ...part } })
    await openAt('/finances', routes)
    await expect.element(page.getByText(words)).toBeVisible()
  })

  it('rule 6: shows an amount no float could hold to the last cent, within a phone’s width', async () => {
    await page.viewport(360, 800)
    await reply(FINANCES, { status: 200, body: { ...finances, balance: euros('900719925474099393') } })
    await openAt('/finances', routes)
    await expect.element(page.getByText('€9,007,199,254,740,993.93')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await page.viewport(1280, 800)
  })

  it('shows that it could not be loaded, and tries again', async () => {
    await reply(FINANCES, { status: 400 }, { status: 200, body: finances })
    await openAt('/finances', routes)
    await expect.element(page.getByText('We couldn’t load your finances')).toBeVisible()
    await userEvent.click(page.getByRole('button', { name: 'Try again' }))
    await expect.element(page.getByText('€123.45').first()).toBeVisible()
  })
})

describe('transactions', () => {
  it('F-01 names each type by a word, with sign and balance, in the reader’s language', async () => {
    const types = [
      'fill_balance',
      'fill_balance_voucher',
      'charge_back',
      'spend',
      'return_on_balance',
      'inner_spending',
      'inner_refund',
    ]
    await reply(
      TRANSACTIONS,
      list(types.map((type) => transaction(type, { type, ...(type === 'spend' ? order : {}) }))),
    )
    await openAt('/finances', routes)
    await expect.poll(rows).toHaveLength(7)
    expect(rows()[3]).toMatch(/Standard licence for brave-otter-42.*−€23.80.*€123.45/)
    expect(rows()[0]).toContain('+€50.00')
    await inAct(() => setLocale('de'))
    const german = [...document.querySelectorAll('ul[aria-label=Transaktionen] > li')].map(
      (row) => row.textContent,
    )
    expect(german[3]).toMatch(/Lizenz Standard für brave-otter-42.*−23,80/)
    expect(new Set(german).size).toBe(7)
    await inAct(() => setLocale('ru'))
    expect(document.querySelectorAll('main ul > li, ul[aria-label] > li')[3]?.textContent).toContain(
      'Стандарт',
    )
  })

  it('are grouped by month, repeat nothing, and never wrap an option of the filter on a phone', async () => {
    await reply(
      TRANSACTIONS,
      list([
        transaction('t1'),
        transaction('t2', { ...order, type: 'inner_refund' }),
        transaction('t3', { created_at: '2026-10-02T10:00:00.000Z' }),
      ]),
    )
    await page.viewport(360, 800)
    await openAt('/finances', routes)
    await expect.element(page.getByRole('heading', { level: 3, name: 'November 2026' })).toBeVisible()
    await expect.element(page.getByRole('heading', { level: 3, name: 'October 2026' })).toBeVisible()
    expect(rows()).toHaveLength(3)
    const said = (text: string) => page.getByText(text).last().element().getBoundingClientRect().width
    expect(said('Refund of an automatic charge'), 'what the description does not say').toBeGreaterThan(20)
    expect(document.querySelector('li .sr-only')?.textContent, 'what it does say').toBe('Top-up ')
    await inAct(() => setLocale('de'))
    const select = page.getByLabelText('Zeitraum').element() as HTMLSelectElement
    const text = document.createElement('canvas').getContext('2d')!
    text.font = getComputedStyle(select).font
    const room = select.clientWidth - Number.parseFloat(getComputedStyle(select).paddingRight) - 12
    expect(text.measureText('Gesamter Zeitraum').width).toBeLessThan(room)
    await page.viewport(1280, 800)
  })

  it('opens the invoice, else the server, else the details', async () => {
    await reply(
      TRANSACTIONS,
      list([
        transaction('t1', { ...order, invoice_id: 'i1', host_id: 'h1' }),
        transaction('t2', { type: 'spend', host_id: 'h1', description: { code: 'voucher', params: {} } }),
        transaction('t3'),
      ]),
    )
    await openAt('/finances', routes)
    const link = page.getByRole('link', { name: /^Standard licence/ })
    await expect.element(link).toHaveAttribute('href', '/invoices/i1')
    await expect
      .element(page.getByRole('link', { name: 'Voucher redeemed' }))
      .toHaveAttribute('href', '/servers/host/h1')
    await userEvent.click(page.getByRole('button', { name: /^Top-up/ }))
    await expect.element(page.getByRole('dialog').getByText('t3', { exact: true })).toBeVisible()
  })

  it('keeps the filter in the address, queries by it, and shows when nothing matches', async () => {
    await reply(TRANSACTIONS, list([transaction('t1')]), list([]), list([transaction('t1')]))
    const { address } = await openAt('/finances', routes)
    await userEvent.selectOptions(page.getByLabelText('Type'), 'charge_back')
    await expect.element(page.getByText('No matching transactions')).toBeVisible()
    expect(address()).toBe('/finances?type=charge_back')
    await userEvent.selectOptions(page.getByLabelText('Period'), 'last_year')
    const year = new Date().getFullYear() - 1
    await expect.poll(address).toBe(`/finances?type=charge_back&from=${year}-01-01&to=${year}-12-31`)
    const midnight = (y: number) => encodeURIComponent(new Date(y, 0, 1).toISOString())
    await expect
      .poll(async () => (await queries()).at(-1))
      .toBe(`type=charge_back&from=${midnight(year)}&to=${midnight(year + 1)}`)
  })

  it('reads the filter from the address, with days of one’s own', async () => {
    await openAt('/finances?type=spend&from=2026-01-05&to=2026-02-03', routes)
    await expect.element(page.getByLabelText('Type')).toHaveValue('spend')
    await expect.element(page.getByLabelText('From')).toHaveValue('2026-01-05')
    await expect.element(page.getByLabelText('To', { exact: true })).toHaveValue('2026-02-03')
  })

  it('loads more below the existing rows', async () => {
    await reply(TRANSACTIONS, list([transaction('t1')], 'c1'), list([transaction('t2', order)]))
    await openAt('/finances', routes)
    await userEvent.click(page.getByRole('button', { name: 'Load more' }))
    await expect.poll(rows).toHaveLength(2)
    expect(await queries()).toEqual(['', 'cursor=c1'])
  })

  it('has an empty state that leads to the first top-up, and an error with another try', async () => {
    await reply(TRANSACTIONS, { status: 400 }, list([]))
    await openAt('/finances', routes)
    await expect.element(page.getByText('We couldn’t load your transactions')).toBeVisible()
    await userEvent.click(page.getByRole('button', { name: 'Try again' }))
    await expect.element(page.getByText('No transactions yet')).toBeVisible()
    await userEvent.click(page.getByRole('button', { name: 'Top up' }).last())
    await expect.element(page.getByRole('dialog', { name: 'Top up balance' })).toBeVisible()
  })

  it('saves the filtered list as CSV, and shows an error if it could not', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      names.push(this.download)
    })
    const names: string[] = []
    await reply(
      'GET /api/finances/transactions.csv',
      { status: 200, body: 'a;b' },
      refused(429, 'too_many_requests'),
    )
    await openAt('/finances?type=spend', routes)
    await userEvent.click(page.getByRole('button', { name: 'Download CSV' }))
    await expect.poll(() => names).toEqual(['transactions.csv'])
    const [request] = await sent('GET', '/api/finances/transactions.csv')
    expect(request?.path).toContain('type=spend')
    expect(request?.headers['authorization']).toContain('Bearer ')
    await userEvent.click(page.getByRole('button', { name: 'Download CSV' }))
    await expect.poll(lastToast).toContain('Too many attempts')
    saved.mockRestore()
  })
})
