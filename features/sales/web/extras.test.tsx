import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { inAll, orderedOf, standard, startLicences } from '#tests/web/licence-pages.tsx'
import { euros } from '#tests/web/routed-pages.tsx'
import { bodies, button, field, newHost, openServers, visible } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startLicences)

const path = '/api/hosts/order/'
const dialog = page.getByRole('dialog', { name: 'New server' })
const pieces = dialog.getByRole('spinbutton', { name: 'Seats' })
const summary = () => dialog.element().querySelector('dl')?.textContent.replaceAll('\u00A0', ' ')
const extras = [
  { slug: 'setup', name: inAll('Setup'), kind: 'setup', price_net: euros('500'), most: 1, quantity: 1 },
  { slug: 'seats', name: inAll('Seats'), kind: 'addon', price_net: euros('100'), most: 5, quantity: 0 },
  { slug: 'course', name: inAll('Course'), kind: 'once', price_net: euros('200'), most: 1, quantity: 0 },
]

it('rule 46: a fee and the chosen extras are in the sum that the button names and the order sends', async () => {
  await reply('GET /api/plans/', { status: 200, body: { items: [{ ...standard, extras }] } })
  await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await visible('Balance after order')
  expect(summary()).toBe(
    'Standard€10.001 × Setup€5.00Net€15.00VAT 19%€2.85Total€17.85Current balance€20.00Balance after order€2.15',
  )
  await userEvent.fill(pieces, '3')
  await expect.poll(summary).toMatch(/3 × Seats€3\.00Net€18\.00VAT 19%€3\.42Total€21\.42/)
  await visible('Your balance is €1.42 short. Pay this now, and we order as soon as it arrives.')
  await userEvent.fill(pieces, '1')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Course' }))
  await expect.poll(summary).toMatch(/1 × Seats€1\.001 × Course€2\.00Net€18\.00/)
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Course' }))
  await expect.poll(summary).toMatch(/Total€19\.04/)
  await reply(`POST ${path}`, orderedOf(newHost))
  await userEvent.fill(field('IPv4 address'), '192.0.2.7')
  await userEvent.click(dialog.getByRole('button', { name: 'Order for €19.04' }))
  await expect
    .poll(() => bodies('POST', path))
    .toMatchObject([
      { plan: 'standard', expected_total: euros('1904'), extras: [{ extra: 'seats', quantity: 1 }] },
    ])
})

it('shows no extras where the edition has none, and sends none', async () => {
  await openServers('/servers/list')
  await userEvent.click(button('New server'))
  await visible('Balance after order')
  expect(dialog.getByRole('group', { name: 'Extras' }).elements()).toEqual([])
})
