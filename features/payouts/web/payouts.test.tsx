import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import '#app/web/styles.css'
import { VIEWING } from '#foundation/web/viewing.ts'
import { euros, lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { press } from '#tests/web/render.tsx'
import { reply } from '#tests/web/wire.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { m } from '#texts/messages.js'
import { PayoutButton } from './payout-button.tsx'
import { PayoutsCard } from './payouts-card.tsx'
import { routes } from './staff-feature.tsx'

const PATH = '/api/finances/payouts/'
const STAFF = '/api/staff/payouts/'
const IBAN = 'DE89 3704 0044 0532 0130 00'
const long = 'Wilhelmine Charlotte von Österreich-Schwarzenberg'
const payout = {
  id: 'AAAAAAAAAAAAAAAAAAAAAA',
  state: 'requested',
  way: 'bank',
  amount: euros('1500'),
  reference: 'PO-3F9A27C10B',
  iban_end: '3000',
  created_at: '2026-11-20T10:00:00.000Z',
  ended_at: null,
  failure: '',
}
const listed = (items: object[], payable = '2000') => ({
  status: 200,
  body: { items, next_cursor: null, payable: euros(payable) },
})
const own = (gift: string) => [
  {
    path: '/finances',
    page: () =>
      Promise.resolve(() => (
        <>
          <PayoutButton balance={euros('2500')} gift={euros(gift)} />
          <PayoutsCard />
        </>
      )),
  },
]
const dialog = page.getByRole('dialog', { name: 'Pay out' })
const reads = (line: Locator, words: RegExp) =>
  expect.poll(() => line.element().textContent.replaceAll('\u00A0', ' ')).toMatch(words)

beforeEach(startAnew)

describe('a customer', () => {
  it('keeps what was typed where the call fails, asks once for the same, and reads refusals at their fields', async () => {
    await reply(`GET ${PATH}`, listed([]))
    await reply(
      `POST ${PATH}`,
      { status: 503 },
      refused(400, 'iban_not_sepa', 'iban'),
      refused(409, 'more_than_payable', 'amount'),
      { status: 201, body: payout },
    )
    await openAt('/finances', own('500'))
    await userEvent.click(page.getByRole('button', { name: 'Pay out' }))
    await expect.element(dialog.getByText('Up to €20.00 can be paid out.')).toBeVisible()
    await expect.element(dialog.getByText(/Vouchers and credit stay on the balance\./)).toBeVisible()
    await expect.element(dialog.getByLabelText('Amount in EUR')).toHaveValue('20')
    await userEvent.fill(dialog.getByLabelText('IBAN'), IBAN)
    await userEvent.fill(dialog.getByLabelText('Account holder'), long)
    for (const words of [
      undefined,
      'SEPA transfers do not reach this country. Enter an account of a SEPA country.',
      /^That is more than can be paid out\. Vouchers and credit stay on the balance\. So does the amount of a payment/,
    ]) {
      const before = (await sent('POST', PATH)).length
      await userEvent.click(dialog.getByRole('button', { name: 'Pay out' }))
      await expect.poll(async () => (await sent('POST', PATH)).length).toBe(before + 1)
      await expect.element(dialog.getByRole('button', { name: 'Pay out' })).toBeEnabled()
      if (words !== undefined) await expect.element(dialog.getByText(words)).toBeVisible()
      await expect.element(dialog.getByLabelText('IBAN')).toHaveValue(IBAN)
      await expect.element(dialog.getByLabelText('Account holder')).toHaveValue(long)
    }
    await userEvent.fill(dialog.getByLabelText('Amount in EUR'), '15')
    await userEvent.click(dialog.getByRole('button', { name: 'Pay out' }))
    await expect.poll(lastToast).toBe('€15.00 is on its way to your bank account')
    const all = await sent('POST', PATH)
    const keys = all.map(({ headers }) => headers['idempotency-key'])
    // A call that failed is repeated with its key, so that it pays once.
    expect(keys[1]).toBe(keys[0])
    expect(keys[3]).not.toBe(keys[0])
    expect(JSON.parse(all.at(-1)?.body ?? '')).toEqual({ amount: euros('1500'), iban: IBAN, holder: long })
  })

  it('reads each state as a word, where the money went, and why it came back, within the width of a phone', async () => {
    await page.viewport(360, 740)
    const failure = 'Die Bank kennt kein solches Konto und hat den Betrag nach vier Tagen zurückgebucht'
    await reply(
      `GET ${PATH}`,
      listed([
        payout,
        { ...payout, id: 'B', state: 'sent', way: 'source', iban_end: null, ended_at: payout.created_at },
        { ...payout, id: 'C', state: 'failed', failure, ended_at: payout.created_at },
        {
          ...payout,
          id: 'D',
          state: 'returned',
          failure: 'closed',
          iban_end: null,
          ended_at: payout.created_at,
        },
      ]),
    )
    await openAt('/finances', own('0'))
    const lines = page.getByRole('listitem')
    await reads(lines.nth(0), /bank account ending in 3000.*Under way$/)
    await reads(lines.nth(1), /the card or account that paid.*Sent$/)
    await reads(lines.nth(2), /zurückgebuchtFailed$/)
    await reads(lines.nth(3), /€15\.00 bank account.*closedCame back$/)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await press(page.getByRole('button', { name: 'Pay out' }))
    await expect.element(dialog.getByLabelText('IBAN')).toBeInTheDocument()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await page.viewport(1280, 800)
  })

  it('is offered nothing where all of the balance was given', async () => {
    await reply(`GET ${PATH}`, listed([payout]))
    await openAt('/finances', own('2500'))
    await expect.element(page.getByText('Under way')).toBeVisible()
    expect(page.getByRole('button', { name: 'Pay out' }).elements()).toEqual([])
  })

  it('is not asked for payouts where a helper acts for the account', async () => {
    sessionStorage.setItem(VIEWING, JSON.stringify({ id: payout.id, name: 'Anna', role: 'full' }))
    await openAt('/finances', own('0'))
    expect(page.getByRole('button', { name: 'Pay out' }).elements()).toEqual([])
    expect(await sent('GET', PATH)).toEqual([])
    sessionStorage.removeItem(VIEWING)
  })
})

describe('staff', () => {
  const staffPayout = {
    ...payout,
    provider: 'bank',
    account: { iban: IBAN.replaceAll(' ', ''), holder: long },
    file: null,
    requested_by: null,
    reason: '',
    customer: { id: 'a1b2c3d4-0000-4000-8000-000000000001', name: long, email: 'wilhelmine@example.com' },
  }
  const file = {
    id: 'PF-3F9A27C10B',
    payouts: 12,
    total: euros('1234567'),
    under_way: 12,
    created_at: payout.created_at,
    created_by: null,
    is_sepa: true,
    is_erased: false,
  }
  const act = `/api/staff/customers/${staffPayout.customer.id}/payouts/${payout.id}`
  const open = async (items: object[]) => {
    await reply('GET /api/staff/me/', {
      status: 200,
      body: {
        roles: ['billing'],
        permissions: ['banking.read', 'banking.book'],
        two_factor: 'ok',
        allowances: [],
        waiting: 0,
      },
    })
    await reply(`GET ${STAFF}`, { status: 200, body: { items, next_cursor: null } })
    await reply('GET /api/staff/payout-files/', { status: 200, body: { items: [file], next_cursor: null } })
    await openAt('/staff-payouts', routes)
  }
  const table = page.getByRole('table', { name: /^(Payouts|Auszahlungen)$/ })

  it('cannot end a payout to its source, and read why an act was refused', async () => {
    await reply(`POST ${act}/sent/`, refused(409, 'payout_ended'))
    const source = { ...staffPayout, id: 'B', way: 'source', account: null, iban_end: null }
    await open([staffPayout, source])
    const rows = table.getByRole('row')
    await reads(rows.nth(2), /the card or account that paid/)
    expect(rows.nth(2).getByRole('button').elements()).toEqual([])
    await userEvent.click(rows.nth(1).getByRole('button', { name: 'Record the payout of €15.00 as sent' }))
    await expect.poll(lastToast).toContain('Nothing was recorded')
  })

  it('say why a payout came back, and keep the reason where the call fails', async () => {
    const waits = { approval: { id: 'x', amount: euros('1500') } }
    await reply(`POST ${act}/return/`, { status: 503 }, { status: 202, body: waits })
    await open([staffPayout])
    await userEvent.click(table.getByRole('button', { name: 'More about the payout of €15.00' }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Failed or came back' }))
    const returning = page.getByRole('dialog', { name: 'Put €15.00 back on the balance?' })
    await userEvent.fill(returning.getByLabelText('Reason'), 'No such account')
    const button = returning.getByRole('button', { name: 'Failed or came back' })
    await userEvent.click(button)
    await expect.poll(async () => (await sent('POST', `${act}/return/`)).length).toBe(1)
    await expect.element(button).toBeEnabled()
    await expect.element(returning.getByLabelText('Reason')).toHaveValue('No such account')
    await userEvent.click(button)
    await expect.poll(lastToast).toBe('€15.00: waiting for a colleague’s approval')
  })

  it.each([360, 768, 1024, 1280])(
    'read names, accounts and buttons in full in a window of %i px',
    async (width) => {
      // The rail of the shell takes 240 px of a wide window, and its margins 80.
      await page.viewport(width < 1024 ? width : width - 320, 800)
      const name = 'Maximilian Brückner-Hoffmann'
      const named = {
        ...staffPayout,
        account: { ...staffPayout.account, holder: name },
        file: 'PF-3F9A27C10B',
      }
      await open([{ ...named, customer: { ...staffPayout.customer, name } }])
      setLocale('de')
      await expect.element(table.getByRole('link', { name })).toBeVisible()
      const sent = page.getByRole('button', { name: m.payouts_all_sent_this({ file: 'PF-3F9A27C10B' }) })
      await expect.element(sent).toBeVisible()
      expect(sent.element().getBoundingClientRect().right).toBeLessThanOrEqual(window.innerWidth - 21)
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
      for (const part of [table.getByRole('link', { name }), table.getByText('… 3000')]) {
        const { scrollWidth, offsetWidth } = part.element() as HTMLElement
        expect(scrollWidth, part.element().textContent).toBeLessThanOrEqual(offsetWidth)
      }
      await page.viewport(1280, 800)
    },
  )

  it('read the state of each payout where a search finds it', async () => {
    await open([{ ...staffPayout, state: 'returned', ended_at: payout.created_at }])
    await expect.element(table.getByText('Came back')).not.toBeInTheDocument()
    await userEvent.fill(page.getByRole('searchbox', { name: 'Search by reference' }), 'PO-3F9A27C10B')
    await expect.element(table.getByText('Came back')).toBeVisible()
    // The search has found all states: none is chosen, and choosing one ends it.
    const returned = page.getByRole('radio', { name: 'Came back' })
    for (const radio of page.getByRole('radio').elements()) expect(radio).not.toBeChecked()
    await userEvent.keyboard('{Tab}')
    await press(returned)
    await expect.element(returned).toBeChecked()
    await expect.element(page.getByRole('searchbox', { name: 'Search by reference' })).toHaveValue('')
    const queries = (await sent('GET', STAFF)).map(({ path }) => path.split('?')[1])
    expect(queries).toEqual(['state=requested', 'reference=PO-3F9A27C10B', 'state=returned'])
  })

  it('come from the row of a file to its payouts, of all states', async () => {
    await open([{ ...staffPayout, state: 'sent', ended_at: payout.created_at, file: file.id }])
    const row = page.getByRole('link', { name: file.id })
    await expect.element(row).toHaveAttribute('data-row')
    await press(row)
    await expect.element(table.getByText('Sent')).toBeVisible()
    expect((await sent('GET', STAFF)).at(-1)?.path.split('?')[1]).toBe(`file=${file.id}`)
  })

  it('sort payouts and files by their heads, in both directions', async () => {
    await open([staffPayout])
    const files = page.getByRole('table', { name: 'Files for the bank' })
    for (const head of [
      table.getByRole('button', { name: 'Amount', exact: true }),
      files.getByRole('button', { name: 'Total', exact: true }),
    ])
      for (const _press of [1, 2]) await press(head)
    const sorts = async (path: string) =>
      (await sent('GET', path)).map(({ path: one }) => new URLSearchParams(one.split('?')[1]).get('sort'))
    await expect.poll(() => sorts(STAFF)).toEqual([null, 'highest', 'lowest'])
    await expect.poll(() => sorts('/api/staff/payout-files/')).toEqual([null, 'highest', 'lowest'])
  })
})
