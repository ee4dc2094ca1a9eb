import { describe, expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatDate } from '#foundation/web/i18n/format.ts'
import {
  historyPath,
  inAll,
  openLicence,
  orderedOf,
  periodOf,
  startLicences,
} from '#tests/web/licence-pages.tsx'
import { euros, lastToast, refused, sent } from '#tests/web/routed-pages.tsx'
import {
  bodies,
  button,
  expiredHost,
  field,
  inDays,
  newHost,
  oneHost,
  paidHost,
  visible,
} from '#tests/web/server-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { reply } from '#tests/web/wire.ts'
import { live } from './live.ts'

beforeEach(startLicences)

const dialog = page.getByRole('dialog')
const pay = dialog.getByRole('button', { name: /^Renew for/ })
const renewal = page.getByRole('switch', { name: 'Auto-renewal' })

describe('the licence of a host', () => {
  it('H-01 shows price, duration, remaining runtime and order date', async () => {
    await openLicence(paidHost)
    await visible('20 days left')
    const facts = page.getByText('Licence key').element().closest('dl')?.textContent
    expect(facts?.replaceAll('\u00A0', ' ')).toBe(
      `PlanStandardPrice€11.90Duration1 monthOrdered${formatDate(inDays(-10))}Licence key${paidHost.licence_key}Renew key`,
    )
  })

  it('calls the licence of a suspended server suspended, not active as well', async () => {
    const suspended = { since: inDays(-1), reason: 'abuse' as const, text: 'Please stop the spam.' }
    await openLicence({ ...paidHost, licence: { ...paidHost.licence, suspended } })
    await visible('Suspended')
    expect(document.body.textContent).not.toContain('Active')
  })

  it('lists paid periods, each with its invoice, and why a period ended early', async () => {
    const items = [
      periodOf(),
      periodOf({ id: '2', kind: 'auto_renewal', ended: 'refunded', plan: inAll('Starter') }),
    ]
    await reply(`GET ${historyPath}`, { status: 200, body: { items, next_cursor: null } })
    await openLicence(paidHost)
    await visible(/Starter · renewed automatically/)
    await visible('Refunded')
    const link = page.getByRole('link', { name: 'Invoice' }).first()
    await expect.element(link).toHaveAttribute('href', '/invoices/IIIIIIIIIIIIIIIIIIIIII')
  })

  it('reloads the paid periods when the host changes elsewhere', async () => {
    const items = [periodOf()]
    await reply(
      `GET ${historyPath}`,
      { status: 200, body: { items, next_cursor: null } },
      {
        status: 200,
        body: { items: [periodOf({ id: '2', kind: 'auto_renewal' }), ...items], next_cursor: null },
      },
    )
    await openLicence(paidHost)
    await visible(/Standard · ordered/)
    await inAct(() => live.find(([name]) => name === 'host.changed')?.[1]({ host_id: paidHost.id }))
    await visible(/Standard · renewed automatically/)
  })

  it('shows the three latest payments, and all of them when asked', async () => {
    const items = ['1', '2', '3', '4'].map((id) => periodOf({ id, plan: inAll(`Plan ${id}`) }))
    await reply(`GET ${historyPath}`, { status: 200, body: { items, next_cursor: null } })
    await openLicence(paidHost)
    await visible(/Plan 3/)
    expect(page.getByText(/Plan 4/).elements()).toEqual([])
    await userEvent.click(button('Show all'))
    await visible(/Plan 4/)
  })

  it('shows an error if the history could not be loaded', async () => {
    await reply(`GET ${historyPath}`, refused(400, 'invalid'))
    await openLicence(paidHost)
    await visible('We couldn’t load the history')
  })
})

describe('the licence document', () => {
  const path = `${oneHost(paidHost)}licence/document`

  it('is shown to copy, with how to check it, and can be kept as a file', async () => {
    await reply(`GET ${path}`, { status: 200, body: 'header.claims.signature' })
    await openLicence(paidHost)
    await userEvent.click(button('Licence file'))
    await visible(/header\.claims\.signature/)
    await visible(/verify\.mjs licence-B{22}\.jws --keys jwks\.json --ipv4 192\.0\.2\.7$/)
    await userEvent.click(button('Download'))
    await expect.poll(async () => (await sent('GET', path)).length).toBe(2)
  })

  it('shows that it could not be loaded, with another try', async () => {
    await reply(`GET ${path}`, refused(400, 'invalid'), { status: 200, body: 'header.claims.signature' })
    await openLicence(paidHost)
    await userEvent.click(button('Licence file'))
    await visible('We couldn’t load the licence file')
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    await visible(/header\.claims\.signature/)
  })
})

describe('renewing', () => {
  const path = `${oneHost(paidHost)}licence/`

  it('H-02 shows the period that will be paid, and the new end at once', async () => {
    const renewed = { ...paidHost, licence: { ...paidHost.licence, remaining_s: 50.01 * 86_400 } }
    await reply(`POST ${path}`, orderedOf(renewed))
    await openLicence(paidHost)
    await userEvent.click(button('Renew'))
    await visible('The new term starts when the current one ends. You won’t lose any time you’ve paid for.')
    const period = () => dialog.element().querySelector('dd')?.textContent
    await expect.poll(period).toContain(formatDate(paidHost.licence.paid_until ?? ''))
    await expect.element(dialog.getByRole('radio', { name: /Standard/ })).toBeChecked()
    await reply(`GET ${oneHost(paidHost)}`, { status: 200, body: renewed })
    await userEvent.click(pay)
    await visible('50 days left')
    expect(await bodies('POST', path)).toEqual([{ plan: 'standard', expected_total: euros('1190') }])
    expect(lastToast()).toMatch(/^web-1 is paid until/)
  })

  it('H-01 names the plan that runs, the one that is paid for later, and when a renewal with another begins', async () => {
    const business = { slug: 'business', name: { en: 'Business', de: 'Business', ru: 'Бизнес' } }
    const starts_at = paidHost.licence.paid_until ?? ''
    const next = { plan: business, edition: 'business', starts_at }
    const licence = { ...paidHost.licence, next, last_plan: business, renewal_plan: business }
    await openLicence({ ...paidHost, licence })
    await visible(`Business from ${formatDate(starts_at)}`)
    await userEvent.click(button('Renew'))
    await expect.element(dialog.getByRole('radio', { name: /Business/ })).toBeChecked()
    await userEvent.click(dialog.getByRole('radio', { name: /Standard/ }))
    await visible(`Standard starts on ${formatDate(starts_at)}; Business stays active until then.`)
  })

  it('is opened by a link, and a reload does not open it again', async () => {
    const { address } = await openLicence(expiredHost, '?act=renew')
    await visible('The licence has expired. The new term starts now.')
    expect(address()).toBe(`/servers/host/${expiredHost.id}`)
  })

  it('V-04 asks for the IPv4 address of a server without one, sets the address, and then orders the licence', async () => {
    const withAddress = { ...newHost, ipv4: '192.0.2.7' }
    await reply(`PATCH ${oneHost(newHost)}`, refused(409, 'ipv4_licensed'), {
      status: 200,
      body: withAddress,
    })
    await reply(`POST ${oneHost(newHost)}licence/`, orderedOf({ ...paidHost, id: newHost.id }))
    await openLicence(newHost)
    await userEvent.click(button('Order licence'))
    const order = dialog.getByRole('button', { name: /^Order for/ })
    await userEvent.click(order)
    await visible('Field is required')
    await userEvent.fill(field('IPv4 address'), '300.1.1.1')
    await userEvent.click(order)
    await visible('Enter correct IPv4-adress')
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    await userEvent.click(order)
    await visible(/already has a paid licence for this address/)
    await expect.element(field('IPv4 address')).toHaveValue('192.0.2.7')
    await reply(`GET ${oneHost(newHost)}`, { status: 200, body: withAddress })
    await userEvent.click(order)
    await expect.poll(lastToast).toMatch(/is paid until/)
    expect(await bodies('PATCH', oneHost(newHost))).toEqual([{ ipv4: '192.0.2.7' }, { ipv4: '192.0.2.7' }])
    expect(await sent('POST', `${oneHost(newHost)}licence/`)).toHaveLength(1)
  })

  it.each([
    [402, 'insufficient_balance', 'Insufficient payment owner balance'],
    [409, 'ipv4_licensed', /already has a paid licence for this address/],
    [400, 'unknown_plan', /This plan isn’t available/],
    [500, 'server_error', /Something went wrong on our side/],
  ] as const)('H-03 says a %i in words and stays open', async (status, code, words) => {
    await reply(`POST ${path}`, refused(status, code))
    await openLicence(paidHost)
    await userEvent.click(button('Renew'))
    await userEvent.click(pay)
    await visible(words)
    await expect.element(dialog).toBeVisible()
  })
})

describe('the automatic renewal', () => {
  const path = oneHost(paidHost)

  it('H-02 moves at once, and the last choice is what is saved', async () => {
    const off = { status: 200, body: { ...paidHost, auto_renew: false }, hold_ms: 3_000 }
    await reply(`PATCH ${path}`, off, { status: 200, body: paidHost })
    await openLicence(paidHost)
    await userEvent.click(renewal)
    await expect.element(renewal).not.toBeChecked()
    await userEvent.click(renewal)
    await expect.element(renewal).toBeChecked()
    expect(await sent('PATCH', path), 'one at a time').toHaveLength(1)
    await expect.poll(() => bodies('PATCH', path)).toEqual([{ auto_renew: false }, { auto_renew: true }])
    await expect.element(renewal).toBeChecked()
  })

  it('goes back if the server refuses, and shows why', async () => {
    await reply(`PATCH ${path}`, { ...refused(503, 'unavailable'), hold_ms: 1_500 })
    await openLicence(paidHost)
    await userEvent.click(renewal)
    await expect.element(renewal).not.toBeChecked()
    await expect.element(renewal).toBeChecked()
    expect(lastToast()).toMatch(/busy right now/)
  })
})
