import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const own = '/api/staff/blocked-senders/'
const eve = {
  email: 'eve@example.org',
  blocked_at: '2026-11-29T10:00:00.000Z',
  blocked_by: { id: 'a0000000-0000-4000-8000-000000000001', name: 'Olivia Brandt' },
}
const listed = (...items: object[]) => ({ status: 200, body: { items, next_cursor: null } })

beforeEach(startAnew)

it('K-05 lists who blocked which sender, and lifts a block; a colleague may have been faster', async () => {
  const old = { ...eve, email: 'mallory@example.org', blocked_by: null }
  await reply(`GET ${own}`, listed(eve, old), listed(old), listed())
  await reply(`POST ${own}lifting/`, { status: 204 }, refused(409, 'changed'))
  await openAt('/staff-blocked-senders', routes)
  await expect.element(page.getByText(/^Blocked by Olivia Brandt, /)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Blocked senders' }))
    .toHaveAttribute('aria-current', 'page')
  // Seen red: its address lay below that of the held mails, whose tab was marked, too.
  await expect.element(page.getByRole('link', { name: 'Held emails' })).not.toHaveAttribute('aria-current')
  const lift = (email: string) =>
    page.getByRole('group', { name: email }).getByRole('button', { name: 'Lift block' })
  await userEvent.click(lift('eve@example.org'))
  await expect.poll(lastToast).toBe('Emails from this sender are taken again')
  await expect.element(page.getByText('eve@example.org')).not.toBeInTheDocument()
  const [lifted] = await sent('POST', `${own}lifting/`)
  expect(JSON.parse(lifted?.body ?? '')).toEqual({ email: 'eve@example.org' })
  await userEvent.click(lift('mallory@example.org'))
  await expect.poll(lastToast).toBe('That didn’t work')
  await expect.element(page.getByText('No blocked senders')).toBeVisible()
})
