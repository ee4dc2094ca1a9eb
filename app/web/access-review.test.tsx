import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { AUTH, authenticators, blueKey, ok, proven, totp, startSecurity } from '#tests/web/security-page.tsx'
import { reply } from '#tests/web/wire.ts'
import { AccessReview } from './access-review.tsx'

beforeEach(startSecurity)

const addresses = `${AUTH}/account/email`
const primary = { email: 'anna@example.com', verified: true, primary: true }
const strange = { email: 'stranger@example.com', verified: true, primary: false }
const done = { status: 200, body: { status: 200 } }
const needsProof = {
  status: 403,
  body: { status: 403, errors: [{ code: 'reauthentication_required', message: '' }] },
}
const review = page.getByRole('dialog', { name: 'Do you recognise all of these?' })
const row = (name: string) => review.getByRole('listitem').filter({ hasText: name })

beforeEach(async () => {
  await startAnew()
  await reply(`GET ${addresses}`, ok([primary, strange]))
  await reply(`GET ${authenticators}`, ok([totp, blueKey]))
  await reply(`POST ${AUTH}/auth/reauthenticate`, proven)
  await openAt('/any', [{ path: '/any', page: () => Promise.resolve(AccessReview), title: () => 'Any' }])
  await expect.element(review).toBeVisible()
})

it('rule 38: shows every other way into the account after a reset, and removes what is not theirs', async () => {
  await expect.poll(() => review.getByRole('listitem').elements().length).toBe(3)
  expect(row('anna@example.com').elements()).toEqual([])
  await reply(`DELETE ${addresses}`, ok([primary]))
  await reply(`GET ${addresses}`, ok([primary]))
  await userEvent.click(row('stranger@example.com').getByRole('button', { name: 'Remove' }))
  await expect.poll(lastToast).toBe('Removed: stranger@example.com')
  await expect.element(row('stranger@example.com')).not.toBeInTheDocument()
  await reply(`DELETE ${AUTH}/account/authenticators/webauthn`, done)
  await reply(`GET ${authenticators}`, ok([totp]))
  await userEvent.click(row('Blue key').getByRole('button', { name: 'Remove' }))
  await expect.poll(lastToast).toBe('Removed: Blue key')
  expect((await sent('DELETE', addresses)).map(({ body }) => body)).toEqual([
    '{"email":"stranger@example.com"}',
  ])
})

it('rule 38: ends by "They’re all mine", after a fresh proof', async () => {
  await reply('DELETE /api/users/access-review/', needsProof, { status: 204 })
  await userEvent.click(review.getByRole('button', { name: 'They’re all mine' }))
  const ask = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await userEvent.fill(ask.getByLabelText('Password', { exact: true }), 'secret words')
  await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
  await expect.element(review).not.toBeInTheDocument()
  expect(await sent('DELETE', '/api/users/access-review/')).toHaveLength(2)
})

it('is put off by Esc, and nothing is taken for an answer', async () => {
  await userEvent.keyboard('{Escape}')
  await expect.element(review).not.toBeInTheDocument()
  expect(await sent('DELETE', '/api/users/access-review/')).toEqual([])
})
