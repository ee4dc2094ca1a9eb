import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { InvitationPage } from './invitation-page.tsx'

const INSPECT = 'GET /api/staff/invitations/acceptance/'
const TOTP = 'GET /api/allauth/app/v1/account/authenticators/totp'
const ACCEPT = 'POST /api/staff/invitations/acceptance/'

const invitation = {
  email: 'ann@example.com',
  roles: ['support'],
  invited_by: 'Olivia',
  expires_at: '2027-01-01T00:00:00Z',
  two_factor: 'ok',
}

async function open(answer: { status: number; body: unknown }, address = '/invitation?key=abc') {
  await startAnew()
  await reply(INSPECT, answer)
  return openAt(address, [{ path: paths.invitation.pattern, page: () => Promise.resolve(InvitationPage) }])
}

it('R-12 shows what one accepts, and leads to the page that one chose to begin with; Today is marked', async () => {
  const { address } = await open({ status: 200, body: invitation })
  await expect
    .element(page.getByText(/^Olivia has invited ann@example.com to the support team of/))
    .toBeVisible()
  await reply(ACCEPT, { status: 200, body: { roles: ['support'] } })
  await reply('GET /api/users/detail/', { status: 200, body: { is_staff: true } })
  await expect.element(page.getByRole('radio', { name: 'Today' })).toBeChecked()
  await userEvent.click(page.getByText('Tickets', { exact: true }))
  await userEvent.click(page.getByRole('button', { name: 'Accept invitation' }))
  await expect.poll(address).toBe('/staff-tickets')
  expect(await sent('POST', '/api/staff/invitations/acceptance/')).toEqual([
    expect.objectContaining({ body: '{"key":"abc","first_page":"tickets"}' }),
  ])
})

it('sets up a second factor first, on this page, and offers no way around it', async () => {
  await open({ status: 200, body: { ...invitation, invited_by: null, two_factor: 'missing' } })
  await expect.element(page.getByRole('link', { name: 'Go to security settings' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Accept invitation' }).elements()).toEqual([])
  await reply(TOTP, { status: 404, body: { meta: { secret: 'ABCDEFGH', totp_url: 'otpauth://totp/x' } } })
  await userEvent.click(page.getByRole('button', { name: 'Set up an authenticator app' }))
  await expect.element(page.getByLabelText('2. Code from the app')).toBeVisible()
  // Somebody did it in another tab, say: the page asks anew when the dialog closes.
  await reply(INSPECT, { status: 200, body: invitation })
  await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
  await expect.element(page.getByRole('button', { name: 'Accept invitation' })).toBeVisible()
})

it('explains that the invitation was sent to another email address', async () => {
  await open({ status: 409, body: { errors: [{ code: 'other_address', message: '' }] } })
  await expect.element(page.getByText(/was sent to another email address/)).toBeVisible()
})

it('says of a link that lost its end that it is incomplete, without asking the server', async () => {
  await open({ status: 200, body: invitation }, '/invitation')
  await expect.element(page.getByText(/^This link is incomplete/)).toBeVisible()
  expect(await sent('GET', '/api/staff/invitations/acceptance/')).toEqual([])
})
