import { describe, expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { getFinances } from '#features/finance/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { getProfile } from '#features/profile/contract.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import {
  balanceIs,
  orderedOf,
  plansCost,
  previewOfOne,
  priceChangedTo,
  standard,
  startLicences,
  withoutVat,
} from '#tests/web/licence-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { euros, lastToast, refused, sent } from '#tests/web/routed-pages.tsx'
import {
  bodies,
  button,
  field,
  newHost,
  openServers,
  pageWith,
  paidHost,
  visible,
} from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { waitingOrder } from './interrupted-order.ts'

beforeEach(startLicences)

const path = '/api/hosts/order/'
const dialog = page.getByRole('dialog', { name: 'New server' })
const bare = { name: '', surname: '', address: '', zip: '', city: '', country: '', vat_id: '' }
const pay = dialog.getByRole('button', { name: /^Order for/ })
const summary = () => dialog.element().querySelector('dl')?.textContent.replaceAll('\u00A0', ' ')

async function open() {
  const opened = await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await visible('Balance after order')
  return opened
}

describe('ordering a server', () => {
  it('H-02 shows net, VAT, total and the remaining balance before the button, for the chosen plan', async () => {
    await open()
    expect(summary()).toBe('Net€10.00VAT 19%€1.90Total€11.90Current balance€20.00Balance after order€8.10')
    await expect.element(pay).toHaveTextContent('Order for €11.90')
    await userEvent.click(dialog.getByRole('radio', { name: /Business/ }))
    await expect.poll(summary).toMatch(/Total€119\.00.*Balance after order−€99\.00/)
  })

  // Seen red while a small business stated "VAT 0%" before a sale, which its invoices do not.
  it('rule 62: a small business states no VAT beside a price, but why, for one server and for several', async () => {
    const plan = withoutVat(standard)
    await reply('GET /api/plans/', { status: 200, body: { items: [plan] } })
    await reply('POST /api/hosts/bulk/preview/', { status: 200, body: previewOfOne(plan) })
    await open()
    const why = 'No VAT is charged: exemption for small businesses (§ 19 UStG).'
    expect(summary()).toBe(`${why}Total€10.00Current balance€20.00Balance after order€10.00`)
    await userEvent.click(dialog.getByText('Several servers'))
    await userEvent.fill(field('Servers'), 'web-1 192.0.2.7')
    await expect.poll(summary).toBe(`${why}Total€10.00Balance after order€10.00`)
  })

  it.each(['One', 'Several'])('says so where nothing is for sale, and takes no order: %s', async (count) => {
    await reply('GET /api/plans/', { status: 200, body: { items: [] } })
    await openServers('/servers/list')
    await userEvent.click(button('New server'))
    if (count === 'Several') await userEvent.click(dialog.getByText('Several servers'))
    await visible('Nothing is for sale at the moment.')
    await expect.element(dialog.getByRole('link', { name: 'Contact' })).toBeVisible()
    await expect.element(dialog.getByRole('button', { name: /^Order/ })).toBeDisabled()
  })

  it('L-13 shows how the editions differ, and by how much a year is cheaper', async () => {
    await page.viewport(1280, 900)
    await open()
    const table = dialog.getByRole('table', { name: 'What’s included' })
    const rows = () =>
      table
        .getByRole('row')
        .elements()
        .map((row) => [...row.children].map((cell) => cell.textContent))
    await expect.poll(rows).toEqual([
      ['What’s included', 'Standard', 'Business'],
      ['Machines per licence', '1', '10'],
      ['Backups', 'not included', 'included'],
    ])
    await visible('All include: Charts')
    await expect
      .element(dialog.getByRole('radio', { name: /^Standard/ }))
      .toHaveAccessibleDescription(/About Standard/)
    await userEvent.click(dialog.getByText('1 year'))
    await visible('Saves €23.80 (16%) compared with paying monthly')
    expect(table.elements()).toEqual([])
  })

  it('L-13 lists what each edition includes on a phone', async () => {
    await page.viewport(360, 740)
    await open()
    expect(dialog.getByRole('table').elements()).toEqual([])
    const card = dialog.getByText('About Business').element().closest('label')
    expect(card?.textContent).toContain('Machines per licence: 10ChartsBackups')
  })

  it('keeps the plan with another term, and takes the first if that term has no such plan', async () => {
    await balanceIs('50000')
    await open()
    await userEvent.click(dialog.getByText('1 year'))
    await expect.element(dialog.getByRole('radio', { name: /^Standard/ })).toBeChecked()
    expect(dialog.getByRole('radio', { name: /^Business/ }).elements()).toEqual([])
    await expect.element(pay).toHaveTextContent('Order for €119.00')
    await userEvent.click(dialog.getByText('1 month'))
    await userEvent.click(dialog.getByRole('radio', { name: /^Business/ }))
    await userEvent.click(dialog.getByText('1 year'))
    await expect.element(dialog.getByRole('radio', { name: /^Standard/ })).toBeChecked()
  })

  it('H-02 sends one order for a double click, with one key, and goes to the new host', async () => {
    await reply(`POST ${path}`, { ...orderedOf(paidHost), hold_ms: 100 })
    const { address } = await open()
    await userEvent.fill(field('Name'), 'web-1')
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await userEvent.dblClick(pay)
    await expect.poll(address).toBe(`/servers/host/${paidHost.id}`)
    expect(lastToast()).toBe('web-1 has been ordered')
    expect(await bodies('POST', path)).toEqual([
      { name: 'web-1', ipv4: '192.0.2.7', plan: 'standard', expected_total: euros('1190') },
    ])
    expect((await sent('POST', path))[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('F-02 sends the buyer’s own number of the order, which stays while the order waits for money', async () => {
    await balanceIs('190')
    await open()
    await userEvent.click(dialog.getByText('Order number for the invoice'))
    await userEvent.fill(field('Order reference'), 'PO-4711')
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await userEvent.click(dialog.getByRole('link', { name: 'Top up balance' }))
    await visible('elsewhere')
    await balanceIs('5000')
    await reply(`POST ${path}`, orderedOf(paidHost))
    await openServers('/servers/list?act=order')
    await expect.element(field('Order reference')).toHaveValue('PO-4711')
    await userEvent.click(pay)
    await expect.poll(() => bodies('POST', path)).toMatchObject([{ order_reference: 'PO-4711' }])
  })

  it('V-04 requires a valid IPv4 address before anything is sent', async () => {
    await open()
    await userEvent.click(pay)
    await visible('Field is required')
    await userEvent.fill(field('IPv4 address'), '300.1.1.1')
    await userEvent.click(pay)
    await visible('Enter correct IPv4-adress')
    expect(await sent('POST', path)).toEqual([])
  })

  it('H-03 shows the missing amount before the order, and leads to topping up just that', async () => {
    await balanceIs('190')
    await open()
    await visible(/Your balance is €10\.00 short/)
    expect(pay.elements()).toEqual([])
    const link = dialog.getByRole('link', { name: 'Top up balance' })
    await expect.element(link).toHaveAttribute('href', '/finances?missing=1000')
    await expect.element(dialog.getByRole('button', { name: 'Pay €10.00 and order' })).toBeVisible()
    await balanceIs('1000')
    await inAct(() => refreshQueries(getFinances))
    await visible('The smallest payment is €5.00; the rest stays on your balance.')
    await expect.element(dialog.getByRole('button', { name: 'Pay €5.00 and order' })).toBeVisible()
  })

  it('H-03 continues where it was when the money has arrived, once', async () => {
    await balanceIs('190')
    await open()
    await userEvent.fill(field('Name'), 'web-1')
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await userEvent.click(dialog.getByRole('radio', { name: /^Business/ }))
    await userEvent.click(dialog.getByRole('link', { name: 'Top up balance' }))
    await visible('elsewhere')
    expect(waitingOrder()?.to).toBe('/servers/list?act=order')
    const { address } = await openServers('/servers/list?act=order')
    await expect.element(field('Name')).toHaveValue('web-1')
    await expect.element(field('IPv4 address')).toHaveValue('192.0.2.7')
    await expect.element(dialog.getByRole('radio', { name: /^Business/ })).toBeChecked()
    expect(address()).toBe('/servers/list')
    expect(waitingOrder()).toBeUndefined()
  })

  it('H-03 shows a missing amount known only by the answer, reloads the balance, and keeps what was typed', async () => {
    await reply(`POST ${path}`, refused(402, 'insufficient_balance'))
    await open()
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await balanceIs('0')
    await userEvent.click(pay)
    await visible('Insufficient payment owner balance')
    await visible(/Your balance is €11\.90 short/)
    await expect.element(field('IPv4 address')).toHaveValue('192.0.2.7')
  })

  it('rule 46: shows the new price beside the old and asks again; what was typed stays', async () => {
    await reply(`POST ${path}`, priceChangedTo('standard', 1200), orderedOf(paidHost))
    await open()
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await plansCost(1200)
    await userEvent.click(pay)
    await visible(/The price has changed .* You haven’t been charged/)
    await expect.poll(summary).toMatch(/Price before€11\.90Total€14\.28/)
    await expect.element(pay).toHaveTextContent('Order for €14.28')
    await expect.element(field('IPv4 address')).toHaveValue('192.0.2.7')
    await userEvent.click(pay)
    await expect.poll(async () => (await bodies('POST', path)).length).toBe(2)
    expect(await bodies('POST', path)).toMatchObject([
      { expected_total: euros('1190') },
      { expected_total: euros('1428') },
    ])
    const keys = (await sent('POST', path)).map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(2)
  })

  it('rule 46: a price that changes while shown, by the country in another tab, is shown beside the old one', async () => {
    await open()
    await plansCost(1200)
    await inAct(() => refreshQueries(listPlans))
    await expect.poll(summary).toMatch(/Price before€11\.90Total€14\.28/)
  })

  it('F-02 asks for the address of the invoice inside of the order, saves it first and loses nothing', async () => {
    const profile = { ...bare, company: '' }
    const country = dialog.getByRole('combobox', { name: 'Country' })
    const address = { name: 'Anna', address: 'Lindenweg 7', zip: '22085', city: 'Hamburg', country: 'DE' }
    const saved = { status: 200, body: { ...profile, ...address } } as const
    await reply('GET /api/users/detail/', { status: 200, body: profile }, saved)
    await reply('PATCH /api/users/update/', refused(400, 'unknown_country', 'country'), saved)
    await balanceIs('50000')
    await reply(`POST ${path}`, refused(409, 'billing_address_required'), orderedOf(paidHost))
    await open()
    await userEvent.fill(field('Name'), 'web-1')
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await userEvent.click(dialog.getByText('Invoice address'))
    await visible(/Optional up to €250\.00/)
    // A company has to fill in the other fields, too.
    await userEvent.fill(field('Company'), 'Brückner GmbH')
    await userEvent.click(pay)
    expect(await sent('PATCH', '/api/users/update/')).toEqual([])
    await userEvent.fill(field('Company'), '')
    for (const [label, value] of [
      ['First name', address.name],
      ['Street and number', address.address],
      ['Postal code', address.zip],
      ['City', address.city],
    ] as const)
      await userEvent.fill(field(label), value)
    await userEvent.selectOptions(country, 'DE')
    await userEvent.click(pay)
    await expect.element(country).toHaveFocus()
    await userEvent.click(pay)
    await visible(/needs a name and an address/)
    await expect.element(field('City')).toHaveValue('Hamburg')
    await userEvent.click(pay)
    await expect.poll(lastToast).toBe('web-1 has been ordered')
    expect((await bodies('PATCH', '/api/users/update/')).at(-1)).toEqual(address)
    expect((await bodies('POST', path)).at(-1)).toMatchObject({
      name: 'web-1',
      ipv4: '192.0.2.7',
      plan: 'standard',
    })
  })

  // Seen red: the order sent back the country that another tab had changed, and the invoice had the wrong VAT.
  it('rule 45: of the address sends only the fields changed here; the rest follows what another tab saved', async () => {
    const country = dialog.getByRole('combobox', { name: 'Country' })
    const profile = { ...bare, company: '', name: 'Anna', country: 'DE' }
    const elsewhere = { ...profile, country: 'AT', city: 'Wien' }
    await reply('GET /api/users/detail/', { status: 200, body: profile }, { status: 200, body: elsewhere })
    await reply('PATCH /api/users/update/', { status: 200, body: { ...elsewhere, zip: '1010' } })
    await balanceIs('50000')
    await reply(`POST ${path}`, orderedOf(paidHost))
    await open()
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await userEvent.click(dialog.getByText('Invoice address'))
    await userEvent.fill(field('Postal code'), '1010')
    await inAct(() => refreshQueries(getProfile))
    await expect.element(field('City')).toHaveValue('Wien')
    await expect.element(country).toHaveValue('AT')
    await userEvent.click(pay)
    await expect.poll(() => bodies('PATCH', '/api/users/update/')).toEqual([{ zip: '1010' }])
    await expect.poll(async () => (await bodies('POST', path)).length).toBe(1)
  })

  it('F-02 rule 45: changed fields of the address wait with the order for its money, and no others', async () => {
    const profile = { ...bare, company: '', name: 'Anna', country: 'DE' }
    await reply('GET /api/users/detail/', { status: 200, body: profile })
    await balanceIs('190')
    await open()
    await userEvent.click(dialog.getByText('Invoice address'))
    await userEvent.fill(field('Postal code'), '1010')
    await userEvent.click(dialog.getByRole('link', { name: 'Top up balance' }))
    await visible('elsewhere')
    expect(waitingOrder()?.buyer).toEqual({ buyer_zip: '1010' })
    await openServers('/servers/list?act=order')
    await expect.element(field('Postal code')).toHaveValue('1010')
  })

  it('shows at the address that it already carries a licence', async () => {
    await reply(`POST ${path}`, refused(409, 'ipv4_licensed'))
    await open()
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await userEvent.click(pay)
    await visible(/already has a paid licence for this address/)
    await expect.element(field('IPv4 address')).toHaveFocus()
  })

  it('rule 10: keeps the key after an error, and takes a new one for another plan', async () => {
    await balanceIs('50000')
    await reply(`POST ${path}`, { status: 503 }, { status: 500 }, { status: 503 })
    await open()
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    for (const [index, plan] of [/^Standard/, /^Standard/, /^Business/].entries()) {
      await userEvent.click(dialog.getByRole('radio', { name: plan }))
      await userEvent.click(pay)
      await expect.poll(async () => (await sent('POST', path)).length).toBe(index + 1)
      await expect.element(dialog.getByRole('alert')).toBeVisible()
    }
    const [first, second, third] = (await sent('POST', path)).map(({ headers }) => headers['idempotency-key'])
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('keeps what was typed and chosen when the language changes, and follows the language', async () => {
    await open()
    await userEvent.fill(field('Name'), 'web-1')
    await userEvent.click(dialog.getByRole('radio', { name: /Business/ }))
    await inAct(() => setLocale('ru'))
    await expect.element(field('Название')).toHaveValue('web-1')
    await expect.element(page.getByRole('radio', { name: /Business/ })).toBeChecked()
    await visible('Баланс после оплаты')
    await visible('1 год')
  })

  it('compares terms by the month, shows what a longer one saves, and keeps the total visible', async () => {
    await open()
    const year = dialog.getByText('1 year')
    await expect.element(year.element().closest('label')).toHaveTextContent('1 year−16%')
    await userEvent.click(year)
    const card = () => dialog.getByText('Standard', { exact: true }).first().element().closest('label')
    await expect.poll(() => card()?.textContent).toMatch(/^Standard€9.92 per month€119.00 for 1 year/)
    await visible('Standard, 1 year')
  })

  it('orders in German by the words that the law requires', async () => {
    await open()
    await inAct(() => setLocale('de'))
    await expect
      .element(page.getByRole('button', { name: 'Zahlungspflichtig bestellen – 11,90 €' }))
      .toBeVisible()
  })

  it('keeps the total and the button in the window of a phone', async () => {
    await page.viewport(360, 740)
    await open()
    const box = pay.element().getBoundingClientRect()
    expect(box.bottom).toBeLessThan(740)
    const above = document.elementFromPoint(box.left + 5, box.top + 5)
    expect(pay.element().contains(above), 'nothing lies above the button').toBe(true)
    expect(dialog.getByText('Standard, 1 month').element().getBoundingClientRect().bottom).toBeLessThan(740)
    await page.viewport(1280, 800)
  })

  it('shows that the plans could not be loaded, with another try', async () => {
    await reply('GET /api/plans/', refused(400, 'invalid'))
    await openServers('/servers/list')
    await userEvent.click(button('New server'))
    await visible('We couldn’t load the plans')
  })

  it('is offered on the list page when there are no servers yet', async () => {
    await reply('GET /api/hosts/', pageWith())
    await openServers('/servers/list')
    await visible('No servers yet')
    await expect.element(button('New server')).toBeVisible()
  })

  it('H-03 continues from an empty list too, which loads later than the dialog', async () => {
    await reply('GET /api/hosts/', { ...pageWith(), hold_ms: 300 })
    await openServers('/servers/list?act=order')
    await visible('No servers yet')
    await expect.element(dialog).toBeVisible()
  })

  it('looks the same when it is opened from the middle of an empty list', async () => {
    await reply('GET /api/hosts/', pageWith())
    await open()
    expect(getComputedStyle(dialog.element()).textAlign, 'not as the text around its button').toBe('start')
  })
})

describe('adding a server without a licence', () => {
  const create = '/api/hosts/'
  const openFree = async () => {
    const opened = await open()
    await userEvent.click(dialog.getByText('Free', { exact: true }))
    return opened
  }

  it('V-04 needs neither name nor IPv4, and goes to the new host', async () => {
    await reply(`POST ${create}`, { status: 201, body: newHost })
    const { address } = await openFree()
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Add server' }))
    await expect.poll(address).toBe(`/servers/host/${newHost.id}`)
    expect(await bodies('POST', create), 'a double click sends once').toEqual([{}])
    expect(lastToast()).toBe('brave-otter-42 has been added')
  })

  it('V-04 refuses an invalid IPv4 before it is sent, and keeps what was typed when the language changes', async () => {
    await openFree()
    await userEvent.fill(field('IPv4 address'), '010.1.1.1')
    await userEvent.fill(field('Name'), 'db-1')
    await userEvent.click(dialog.getByRole('button', { name: 'Add server' }))
    await visible('Enter correct IPv4-adress')
    await inAct(() => setLocale('de'))
    await expect.element(field('Name')).toHaveValue('db-1')
    await expect.element(field('IPv4-Adresse')).toHaveValue('010.1.1.1')
    expect(await sent('POST', create)).toEqual([])
  })

  it('rule 10: sends one key again until the outcome is known, and keeps what was typed', async () => {
    await reply(`POST ${create}`, { status: 500 }, { status: 503 }, refused(409, 'too_many_hosts'), {
      status: 201,
      body: newHost,
    })
    await openFree()
    await userEvent.fill(field('Name'), 'db-1')
    for (const times of [1, 2, 3, 4]) {
      await userEvent.click(dialog.getByRole('button', { name: 'Add server' }))
      await expect.poll(async () => (await sent('POST', create)).length).toBe(times)
      if (times < 4) await expect.element(field('Name')).toHaveValue('db-1')
      if (times === 3) await visible(/maximum number of servers/)
    }
    const keys = (await sent('POST', create)).map(({ headers }) => headers['idempotency-key'])
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).toBe(keys[0])
    expect(keys[3], 'a refusal settles it').not.toBe(keys[0])
  })
})
