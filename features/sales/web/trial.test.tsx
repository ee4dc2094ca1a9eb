import { describe, expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { historyPath, openLicence, periodOf, plansTry, startLicences } from '#tests/web/licence-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { euros, lastToast, refused } from '#tests/web/routed-pages.tsx'
import {
  bodies,
  button,
  field,
  inDays,
  newHost,
  openServers,
  paidHost,
  visible,
} from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startLicences)

const path = '/api/hosts/order/'
const dialog = page.getByRole('dialog', { name: 'New server' })
const start = dialog.getByRole('button', { name: 'Start free trial' })
const triedHost = {
  ...newHost,
  licence: {
    ...paidHost.licence,
    price: euros('0'),
    ordered_at: inDays(-4),
    trial_until: inDays(10),
    paid_until: inDays(10),
    remaining_s: 10 * 86_400,
  },
}

async function openOrder() {
  await plansTry(14)
  await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await visible('Balance after order')
}

describe('L-30 a trial', () => {
  it('is offered beside the price, and ordered without address of invoice and payment', async () => {
    await openOrder()
    await expect
      .element(dialog.getByRole('radio', { name: /^Standard/ }))
      .toHaveAccessibleDescription(/14 days free/)
    await userEvent.fill(field('IPv4 address'), '192.0.2.9')
    await userEvent.click(dialog.getByText('Try 14 days for free'))
    await visible(/^Free until .*; nothing is charged, and the licence ends automatically\./)
    expect(dialog.element().textContent).not.toContain('Balance after order')
    expect(dialog.element().textContent).not.toContain('Order reference')
    await reply(`POST ${path}`, { status: 200, body: { host: triedHost } })
    await userEvent.dblClick(start)
    await expect
      .poll(lastToast)
      .toBe(`The free trial of ${triedHost.name} runs until ${formatDate(inDays(10))}`)
    expect(await bodies('POST', path)).toEqual([
      { ipv4: '192.0.2.9', plan: 'standard', expected_total: euros('0'), trial: true },
    ])
  })

  it('that was refused keeps what was typed, says why, and can be ordered instead', async () => {
    await openOrder()
    await userEvent.fill(field('IPv4 address'), '192.0.2.9')
    await userEvent.click(dialog.getByText('Try 14 days for free'))
    await reply(`POST ${path}`, refused(409, 'trial_used', 'ipv4'))
    await userEvent.click(start)
    await visible(
      'The free trial has already been used: it’s available once per edition and once per IP address.',
    )
    await expect.element(field('IPv4 address')).toHaveValue('192.0.2.9')
    await userEvent.click(dialog.getByText('Order now'))
    await visible('Balance after order')
    await expect.element(field('IPv4 address')).toHaveValue('192.0.2.9')
  })

  it('is not mentioned in the order dialog if the plans offer no trial', async () => {
    await plansTry(0)
    await openServers('/servers/list')
    await userEvent.click(button('New server'))
    await visible('Balance after order')
    expect(dialog.element().textContent).not.toMatch(/free trial|days free|for free/)
  })

  it('is shown on the page of its server, with the way to keep it', async () => {
    await reply(`GET ${historyPath}`, {
      status: 200,
      body: {
        items: [periodOf({ kind: 'trial', total: euros('0'), invoice_id: null })],
        next_cursor: null,
      },
    })
    await openLicence({ ...paidHost, auto_renew: false, licence: triedHost.licence })
    await visible(`Free until ${formatDate(inDays(10))}`)
    await visible(/Standard · free trial started/)
    expect(document.body.textContent).not.toContain('Paid for you')
    await userEvent.click(button('Order licence'))
    await visible('The paid term starts when the free trial ends.')
    await expect.element(page.getByRole('button', { name: /^Order for/ })).toBeVisible()
    await inAct(() => setLocale('de'))
    await visible('Die bezahlte Laufzeit beginnt, wenn die Testzeit endet.')
  })
})
