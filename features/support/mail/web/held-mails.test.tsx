import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import type { HeldMail } from '#features/support/mail/contract.ts'
import { openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const own = '/api/staff/held-mails/'
const stranger: HeldMail = {
  id: 'b0000000-0000-4000-8000-000000000001',
  from: 'eve@example.org',
  from_name: null,
  subject: 'Watches',
  text: 'Buy my watches.',
  file_names: [],
  received_at: '2026-11-29T10:00:00.000Z',
  reason: 'stranger',
  ticket: null,
  customer: null,
  can_post: false,
  can_block: true,
}
const forged: HeldMail = {
  ...stranger,
  id: 'b0000000-0000-4000-8000-000000000002',
  from: 'anna@example.com',
  subject: 'It is me',
  reason: 'forged',
  customer: { id: 'a0000000-0000-4000-8000-000000000001', name: 'Anna Weber' },
  can_post: true,
  can_block: false,
}

beforeEach(startAnew)

it('K-05 offers to block a stranger, and never the customer in whose name a mail was forged', async () => {
  await reply(`GET ${own}`, { status: 200, body: { items: [stranger, forged], next_cursor: null } })
  await reply(`POST ${own}${stranger.id}/decision/`, { status: 200, body: { chat_id: null } })
  await openAt('/staff-held-mails', routes)
  const mailOf = (subject: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: subject }) })
  await expect.element(mailOf('It is me').getByRole('button', { name: 'Discard' })).toBeVisible()
  await expect
    .element(mailOf('It is me').getByRole('button', { name: 'Block sender' }))
    .not.toBeInTheDocument()
  await userEvent.click(mailOf('Watches').getByRole('button', { name: 'Block sender' }))
  await userEvent.click(page.getByRole('button', { name: 'Block, and discard their emails' }))
  await expect.poll(() => sent('POST', `${own}${stranger.id}/decision/`)).toHaveLength(1)
})
