import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import {
  AUTH,
  byPassword,
  ok,
  proven,
  refused,
  stale,
  user,
  startSecurity,
} from '#tests/web/security-page.tsx'
import { inAct } from '#tests/web/render.tsx'
import { reply } from '#tests/web/wire.ts'
import { askToConfirm, useRequestedKey } from './requested-key.ts'
import { ConfirmAddress } from './mail-links.ts'

beforeEach(startSecurity)

const path = `${AUTH}/auth/email/verify`
const asked = { email: 'more@example.com', user, is_new_account: false, account_since: 1_790_000_000 }
const dialog = page.getByRole('dialog', { name: 'Confirm your email address' })

function Page() {
  const key = useRequestedKey()
  return key === undefined ? null : <ConfirmAddress verificationKey={key} />
}
const open = async () => {
  await openAt('/any', [{ path: '/any', page: () => Promise.resolve(Page), title: () => 'Any' }])
  await inAct(() => askToConfirm('a:key'))
}
const press = (name: string) => userEvent.click(dialog.getByRole('button', { name }))

beforeEach(async () => {
  await startAnew()
  await reply(`GET ${AUTH}/account/email`, ok([]))
  await reply(`GET ${path}`, ok(asked))
})

it('rule 37, rule 38: names the account, and confirms only on request, after a fresh proof', async () => {
  await reply(`POST ${path}`, stale(byPassword), ok({ user, methods: [] }))
  await reply(`POST ${AUTH}/auth/reauthenticate`, proven)
  await open()
  await expect
    .element(dialog.getByText(/^more@example\.com is to be added to the account anna@example\.com/))
    .toBeVisible()
  expect(await sent('POST', path)).toEqual([])
  await press('Confirm email address')
  const ask = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await userEvent.fill(ask.getByLabelText('Password', { exact: true }), 'secret words')
  await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
  await expect.poll(lastToast).toBe('Email address confirmed')
  await expect.element(dialog).not.toBeInTheDocument()
  expect((await sent('POST', path)).map(({ body }) => body)).toEqual(['{"key":"a:key"}', '{"key":"a:key"}'])
})

it('rule 37: releases the address where it was not this person, and a closed dialog does nothing', async () => {
  await reply(`DELETE ${path}`, { status: 200, body: { status: 200 } })
  await open()
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await sent('DELETE', path)).toEqual([])
  await inAct(() => askToConfirm('a:key'))
  await press('This wasn’t me')
  await expect.poll(lastToast).toContain('released')
  expect((await sent('DELETE', path)).map(({ body }) => body)).toEqual(['{"key":"a:key"}'])
  expect(await sent('POST', path)).toEqual([])
})

it('A-14 reports that a link no longer works', async () => {
  await reply(`GET ${path}`, refused('invalid_or_expired_key', 'key'))
  await open()
  await expect.poll(lastToast).toBeTruthy()
  await expect.element(dialog).not.toBeInTheDocument()
})
