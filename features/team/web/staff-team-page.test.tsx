import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { storeUser } from '#tests/web/stored.ts'
import { openAt, sent } from '#tests/web/routed-pages.tsx'
import { startServers } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { StaffTeamPage } from './staff-team-page.tsx'

beforeEach(startServers)

const member = (id: string, name: string, roles: string[]) => ({
  id,
  name,
  email: `${name.toLowerCase()}@example.com`,
  roles,
  two_factor: name === 'Olivia',
  last_seen_at: null,
  open_tickets: 3,
  introduced: null,
})
const open = () =>
  openAt('/staff-team', [
    { path: paths.team.pattern, page: () => Promise.resolve(StaffTeamPage), title: () => 'Team' },
  ])
const CHANGE = 'PUT /api/staff/members/j/roles/'

beforeEach(async () => {
  storeUser({ id: 'o', display: 'Olivia', email: 'olivia@example.com', has_usable_password: true })
  await reply('GET /api/staff/me/', {
    status: 200,
    body: { roles: ['owner'], permissions: ['team.read', 'team.manage'], two_factor: 'ok' },
  })
  await reply('GET /api/staff/members/', {
    status: 200,
    body: {
      items: [member('o', 'Olivia', ['owner']), member('j', 'Jonas', ['support'])],
      invitations: [
        {
          id: 'i',
          email: 'new@example.com',
          roles: ['billing'],
          invited_by: { id: 'o', name: 'Olivia' },
          created_at: '2026-01-01T00:00:00Z',
          expires_at: '2026-01-08T00:00:00Z',
        },
      ],
      permissions: [{ name: 'finance.refund', roles: ['billing', 'admin', 'owner'] }],
    },
  })
})

it('explains each role by its permissions, and offers no change of the reader’s own roles', async () => {
  await open()
  const refunds = page.getByRole('row', { name: /^Refund orders/ })
  await expect.element(refunds.getByRole('cell')).toHaveLength(4)
  await expect.element(refunds.getByText('Allowed')).toHaveLength(3)
  await expect.element(refunds.getByRole('cell').first()).toHaveTextContent('–')
  const ofJonas = page.getByRole('group', { name: 'Jonas', exact: true })
  await expect.element(ofJonas.getByRole('button', { name: 'Change roles' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Change roles' })).toHaveLength(1)
})

it('changes roles with a reason, and does not revoke by the last box', async () => {
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Change roles' }))
  const dialog = page.getByRole('dialog', { name: 'Roles of Jonas' })
  await userEvent.click(dialog.getByLabelText('Support'))
  await userEvent.fill(dialog.getByLabelText('Reason'), 'Moved to billing')
  await userEvent.click(dialog.getByRole('button', { name: 'Save roles' }))
  await expect.element(dialog.getByText('Choose at least one role, or revoke access.')).toBeVisible()
  await reply(CHANGE, { status: 200, body: { roles: ['billing'] } })
  await userEvent.click(dialog.getByLabelText('Billing'))
  await userEvent.click(dialog.getByRole('button', { name: 'Save roles' }))
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await sent('PUT', '/api/staff/members/j/roles/')).toEqual([
    expect.objectContaining({ body: '{"roles":["billing"],"from":["support"],"reason":"Moved to billing"}' }),
  ])
})

it('names the person and what happens to their tickets before access is revoked', async () => {
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Revoke access' }))
  const dialog = page.getByRole('dialog', { name: 'Revoke Jonas’s access?' })
  await expect.element(dialog.getByText(/go back to the queue: 3/)).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Reason'), 'Left')
  await reply(CHANGE, { status: 409, body: { errors: [{ code: 'last_owner', message: '' }] } })
  await userEvent.click(dialog.getByRole('button', { name: 'Revoke access' }))
  await expect
    .element(dialog.getByText('There must be at least one owner. Make someone else an owner first.'))
    .toBeVisible()
})

it('invites an address with roles, sends again and withdraws', async () => {
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Invite' }))
  const dialog = page.getByRole('dialog', { name: 'Invite someone to the team' })
  await userEvent.fill(dialog.getByLabelText('Email'), 'ann@example.com')
  await userEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))
  await expect.element(dialog.getByText('Choose at least one role.')).toBeVisible()
  await userEvent.click(dialog.getByLabelText('Admin'))
  const invitation = { email: 'ann@example.com' }
  await reply('POST /api/staff/invitations/', { status: 201, body: invitation })
  await userEvent.click(dialog.getByRole('button', { name: 'Send invitation' }))
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await sent('POST', '/api/staff/invitations/')).toEqual([
    expect.objectContaining({ body: '{"email":"ann@example.com","roles":["admin"]}' }),
  ])
  const row = page.getByRole('listitem').filter({ hasText: 'new@example.com' })
  await expect.element(row.getByText('Expired')).toBeVisible()
  await reply('POST /api/staff/invitations/i/resend/', { status: 200, body: {} })
  await userEvent.click(row.getByRole('button', { name: 'Send again' }))
  await expect.element(page.getByText(/new@example.com again/)).toBeVisible()
  await userEvent.click(row.getByRole('button', { name: 'Withdraw' }))
  const asked = page.getByRole('dialog', { name: 'Withdraw the invitation to new@example.com?' })
  await reply('DELETE /api/staff/invitations/i/', { status: 204 })
  await userEvent.click(asked.getByRole('button', { name: 'Withdraw' }))
  await expect.element(asked).not.toBeInTheDocument()
  expect(await sent('DELETE', '/api/staff/invitations/i/')).toHaveLength(1)
})

it('says what waits for a second owner: a change, and an invitation', async () => {
  const waiting = { ...member('j', 'Jonas', ['support']), waiting_roles: ['support', 'owner'] }
  const invitation = {
    id: 'i',
    email: 'new@example.com',
    roles: ['owner'],
    invited_by: null,
    created_at: '2026-01-01T00:00:00Z',
    expires_at: '2226-01-08T00:00:00Z',
    waits: true,
  }
  const body = { items: [waiting], invitations: [invitation], permissions: [] }
  await reply('GET /api/staff/members/', { status: 200, body })
  await open()
  const row = page.getByRole('listitem').filter({ hasText: 'Jonas' })
  await expect.element(row.getByText('Waiting for a second owner')).toBeVisible()
  await expect.element(row.getByText(/Afterwards: Support, Owner/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Send again' }).elements()).toHaveLength(0)
  await userEvent.click(row.getByRole('button', { name: 'Revoke access' }))
  const dialog = page.getByRole('dialog', { name: 'Revoke Jonas’s access?' })
  await userEvent.fill(dialog.getByLabelText('Reason'), 'Left')
  await reply(CHANGE, { status: 202, body: { approval: {} } })
  await userEvent.click(dialog.getByRole('button', { name: 'Revoke access' }))
  await expect
    .element(page.getByText('Waiting for another owner to approve the roles of Jonas'))
    .toBeVisible()
})

it('makes a robot and a token of it, whose secret is shown this once', async () => {
  const robot = {
    id: 'r',
    name: 'Triage',
    roles: ['support'],
    made_by: null,
    created_at: '2026-01-01T00:00:00Z',
  }
  await reply('GET /api/staff/robots/', { status: 200, body: { items: [{ ...robot, tokens: [] }] } })
  await open()
  await userEvent.click(page.getByRole('button', { name: 'New robot' }))
  const dialog = page.getByRole('dialog', { name: 'New robot' })
  await userEvent.fill(dialog.getByLabelText('Name'), 'Refunds')
  await userEvent.click(dialog.getByRole('button', { name: 'Create robot' }))
  await expect.element(dialog.getByText('Choose at least one role.')).toBeVisible()
  await expect.element(dialog.getByLabelText('Owner')).not.toBeInTheDocument()
  await userEvent.click(dialog.getByLabelText('Billing'))
  await reply('POST /api/staff/robots/', { status: 201, body: { ...robot, tokens: [] } })
  await userEvent.click(dialog.getByRole('button', { name: 'Create robot' }))
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await sent('POST', '/api/staff/robots/')).toEqual([
    expect.objectContaining({ body: '{"name":"Refunds","roles":["billing"]}' }),
  ])
  await userEvent.click(page.getByRole('button', { name: 'New token' }))
  const token = page.getByRole('dialog', { name: 'New token of “Triage”' })
  await userEvent.fill(token.getByLabelText('Name'), 'night run')
  await reply('POST /api/staff/robots/r/tokens/', {
    status: 201,
    body: {
      id: 't',
      name: 'night run',
      hint: 'hdp_…2kQe',
      made_by: null,
      created_at: '2026-01-01T00:00:00Z',
      ends_at: '2026-04-01T00:00:00Z',
      last_used_at: null,
      last_used_ip: null,
      secret: 'hdp_secret',
    },
  })
  await userEvent.click(token.getByRole('button', { name: 'Create token' }))
  await expect.element(token.getByText('hdp_secret', { exact: true })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(token).toBeVisible()
  await userEvent.click(token.getByRole('button', { name: 'I have saved it' }))
  await expect.element(token).not.toBeInTheDocument()
})
