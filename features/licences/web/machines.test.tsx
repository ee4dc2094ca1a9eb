import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { openLicence, startLicences } from '#tests/web/licence-pages.tsx'
import { bodies, button, oneHost, paidHost, visible } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startLicences)

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const floating = {
  ...paidHost,
  licence: { ...paidHost.licence, entitlements: { machines: 3, lease_min: 15 } },
}
const path = `${oneHost(floating)}machines/`
const held = {
  id: '00000000-0000-4000-8000-00000000000a',
  hostname: 'desk-1',
  address: '203.0.113.9',
  first_seen: inMinutes(-90),
  last_seen: inMinutes(-2),
  is_over: false,
  lease_until: inMinutes(13),
  shares_id: false,
}
const seats = (...items: object[]) =>
  reply(`GET ${path}`, { status: 200, body: { limit: 3, lease_s: 900, releases_left: 0, items } })

it('L-27 the page of a floating licence shows who holds seats until when, and frees one', async () => {
  await seats(held, { ...held, id: '00000000-0000-4000-8000-00000000000b', hostname: 'desk-2' })
  await openLicence(floating)
  await visible(
    '2 of 3 seats are taken. A machine holds its seat for 15 min and extends it while the software runs.',
  )
  await visible(/203\.0\.113\.9 · holds a seat until \d/)
  await expect.element(button('Licence file')).not.toBeInTheDocument()
  const free = page.getByRole('button', { name: 'Free the seat' })
  await free.first().click()
  await visible('Free the seat of desk-1?')
  await reply(`POST ${path}${held.id}/release/`, { status: 204 })
  await seats()
  await page.getByRole('dialog').getByRole('button', { name: 'Free the seat' }).click()
  await visible('No seat is taken now.')
  expect(await bodies('POST', `${path}${held.id}/release/`)).toHaveLength(1)
})
