import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct } from '#tests/web/render.tsx'
import { euros, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './feature.tsx'

const START = 'POST /api/finances/top-ups/'
const STATE = 'GET /api/finances/top-ups/T1/'
const finances = (balance: string) => ({
  status: 200,
  body: {
    balance: euros(balance),
    gift: euros('0'),
    lasts_until: null,
    upcoming: [],
    top_up: {
      providers: ['stripe', 'bank', 'test'],
      min: euros('500'),
      max: euros('500000'),
      balance_cap: euros('1000000'),
    },
  },
})
const topUp = (status: string, more: object = {}) => ({
  id: 'T1',
  status,
  provider: 'test',
  amount: euros('5000'),
  created_at: '2026-11-20T10:00:00.000Z',
  redirect_url: null,
  bank: null,
  ...more,
})
const bank = {
  provider: 'bank',
  bank: { account: 'DE89 3704 0044', iban: null, epc: null, reference: 'HD-7K2M' },
}
const amount = page.getByRole('textbox', { name: 'Amount' })
const go = page.getByRole('button', { name: 'Continue to payment' })
const bodies = async () =>
  (await sent('POST', '/api/finances/top-ups/')).map(({ body }) => JSON.parse(body) as unknown)
const keys = async () =>
  (await sent('POST', '/api/finances/top-ups/')).map(({ headers }) => headers['idempotency-key'])

async function openDialog() {
  const opened = await openAt('/finances', routes)
  await userEvent.click(page.getByRole('button', { name: 'Top up' }).first())
  await expect.element(amount).toBeVisible()
  return opened
}

beforeEach(async () => {
  await startAnew()
  window.location.hash = ''
  await reply('GET /api/finances/', finances('1000'))
  await reply('GET /api/finances/transactions/', { status: 200, body: { items: [], next_cursor: null } })
  await reply('GET /api/finances/top-ups/', { status: 200, body: { items: [], next_cursor: null } })
})

describe('the dialog', () => {
  it('shows the limits, takes quick choices and free input, and leaves for the provider once', async () => {
    await reply(START, { status: 201, body: topUp('pending', { redirect_url: '#provider' }), hold_ms: 50 })
    await openDialog()
    await expect.element(page.getByText('From €5.00 to €5,000.00')).toBeVisible()
    await userEvent.click(page.getByRole('button', { name: '€50', exact: true }))
    await expect.element(amount).toHaveValue('50')
    await expect.element(page.getByText('€60.00')).toBeVisible()
    await userEvent.fill(amount, '19,90')
    await userEvent.click(page.getByRole('radio', { name: /Test payment/ }))
    await userEvent.dblClick(go)
    await expect.poll(() => window.location.hash).toBe('#provider')
    await expect.element(go).toHaveAttribute('aria-busy', 'true')
    expect(await bodies()).toEqual([{ amount: { amount: '1990', currency: 'EUR' }, provider: 'test' }])
    // The event that browsers send on a return by 'Back'.
    await inAct(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await expect.element(go).toHaveAttribute('aria-busy', 'false')
  })

  it.each([
    [
      ['mollie', 'stripe', 'bank'],
      ['PayPal, iDEAL and more', 'Card', 'Bank transfer'],
    ],
    [
      ['mollie', 'bank'],
      ['Card, PayPal, iDEAL and more', 'Bank transfer'],
    ],
  ])('names the ways of %j in words that customers know, and cards once', async (providers, titles) => {
    const { body } = finances('1000')
    const offered = { ...body, top_up: { ...body.top_up, providers } }
    await reply('GET /api/finances/', { status: 200, body: offered })
    await openDialog()
    for (const title of titles)
      await expect.element(page.getByRole('radio', { name: new RegExp(`^${title} `) })).toBeVisible()
    await expect.element(page.getByRole('radio').first()).toBeChecked()
  })

  it('says so where there is no way to pay, and asks for no amount', async () => {
    const { body } = finances('1000')
    await reply('GET /api/finances/', {
      status: 200,
      body: { ...body, top_up: { ...body.top_up, providers: [] } },
    })
    await openAt('/finances', routes)
    await userEvent.click(page.getByRole('button', { name: 'Top up' }).first())
    await expect.element(page.getByText(/^No payment method is available/)).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Contact' })).toBeVisible()
    await expect.element(go).not.toBeInTheDocument()
    await expect.element(amount).not.toBeInTheDocument()
  })

  it('V-03 shows what is wrong with an amount at the field and keeps what was typed', async () => {
    await reply(START, refused(400, 'amount_too_small', 'amount'), refused(400, 'balance_cap'))
    await openDialog()
    await userEvent.fill(amount, 'ten')
    await userEvent.click(go)
    await expect.element(page.getByText(/Enter an amount/)).toBeVisible()
    expect(await bodies()).toEqual([])
    await userEvent.fill(amount, '1')
    await userEvent.click(go)
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
    await expect.element(amount).toHaveValue('1')
    await expect.element(amount).toHaveFocus()
    await userEvent.fill(amount, '5000')
    await expect.element(amount).toHaveAttribute('aria-invalid', 'false')
    await userEvent.click(go)
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
  })

  it('rule 10: sends the same key again while the outcome of the first try is unknown', async () => {
    await reply(START, { status: 503 }, { status: 500 }, { status: 201, body: topUp('pending', bank) })
    await reply(STATE, { status: 200, body: topUp('pending', bank) })
    const { address } = await openDialog()
    await userEvent.click(page.getByRole('radio', { name: /Bank transfer/ }))
    await userEvent.click(go)
    await expect.element(page.getByText(/busy right now/)).toBeVisible()
    await expect.element(page.getByRole('radio', { name: /Bank transfer/ })).toBeChecked()
    await userEvent.click(go)
    await expect.element(page.getByText(/Something went wrong on our side/)).toBeVisible()
    await userEvent.click(go)
    await expect.poll(address).toBe('/finances?top_up=T1')
    const [first, ...more] = await keys()
    expect(first).toMatch(/^[\da-f-]{36}$/)
    expect(more).toEqual([first, first])
  })

  it('keeps what was typed when the language changes', async () => {
    await openDialog()
    await userEvent.fill(amount, '77.5')
    await userEvent.click(page.getByRole('radio', { name: /Bank transfer/ }))
    await inAct(() => setLocale('ru'))
    await expect.element(page.getByRole('textbox', { name: 'Сумма' })).toHaveValue('77.5')
    await expect.element(page.getByRole('radio', { name: /Банковский перевод/ })).toBeChecked()
  })

  it.each([
    ['1240', '12.40'],
    ['120', '5'],
    ['999999999999999', '5000'],
    ['nonsense', '25'],
  ])('starts with the amount an order lacked: %s is %s', async (missing, typed) => {
    const { address } = await openAt(`/finances?missing=${missing}`, routes)
    await expect.element(amount).toHaveValue(typed)
    await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
    await expect.element(amount).not.toBeInTheDocument()
    await expect.poll(address).toBe('/finances')
  })
})

describe('on return', () => {
  it('follows the payment until it arrives, and reloads the balance', async () => {
    await reply(STATE, { status: 200, body: topUp('pending') }, { status: 200, body: topUp('paid') })
    await reply('GET /api/finances/', finances('1000'), finances('6000'))
    await openAt('/finances?top_up=T1', routes)
    await expect.element(page.getByText('Waiting for your payment of €50.00')).toBeVisible()
    await expect.element(page.getByText('€50.00 has been added to your balance')).toBeVisible()
    await expect.element(page.getByText('€60.00')).toBeVisible()
    expect(document.querySelector('[role=status]')?.textContent).toContain('has been added')
  })

  it.each([
    ['failed', /didn’t go through/],
    ['expired', /expired$/],
  ])('shows that it %s, and opens the dialog for another try', async (status, words) => {
    await reply(STATE, { status: 200, body: topUp(status) })
    await openAt('/finances?top_up=T1', routes)
    await expect.element(page.getByText(words)).toBeVisible()
    await userEvent.click(page.getByRole('button', { name: 'Try again' }))
    await expect.element(amount).toBeVisible()
  })

  it('shows account and reference of a bank transfer to copy, and goes when it is closed', async () => {
    await reply(STATE, { status: 200, body: topUp('pending', bank) })
    const { address } = await openAt('/finances?top_up=T1', routes)
    await expect.element(page.getByText('Please transfer €50.00')).toBeVisible()
    await expect.element(page.getByText('HD-7K2M')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Copy' })).toHaveLength(3)
    await userEvent.click(page.getByRole('button', { name: 'Close' }))
    await expect.poll(address).toBe('/finances')
    await expect.element(page.getByText('HD-7K2M')).not.toBeInTheDocument()
  })

  it('shows an error for another customer’s or an unknown top-up', async () => {
    await reply(STATE, refused(404, 'not_found'))
    await openAt('/finances?top_up=T1', routes)
    await expect.element(page.getByText('We couldn’t load the status of your top-up')).toBeVisible()
  })
})
