import { describe, expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  AUTH,
  authenticators,
  totpPath,
  codesPath,
  totp,
  codes,
  unused_codes,
  ok,
  refused,
  proven,
  stale,
  byPassword,
  byCode,
  sent,
  bodies,
  button,
  field,
  dialog,
  lastToast,
  open,
  startSecurity,
} from '#tests/web/security-page.tsx'
import { reply, requests } from '#tests/web/wire.ts'

beforeEach(startSecurity)

describe('two-factor', () => {
  const offer = {
    status: 404,
    body: { status: 404, meta: { secret: 'ABCD'.repeat(8), totp_url: 'otpauth://totp/anna?secret=ABCD' } },
  }

  it('A-09 shows the secret as QR code and text, activates by code and shows the recovery codes', async () => {
    await open()
    await reply(`GET ${totpPath}`, offer)
    await reply(
      `POST ${totpPath}`,
      refused('incorrect_code', 'code'),
      ok(totp, { recovery_codes_generated: true }),
    )
    await reply(`GET ${codesPath}`, ok({ ...codes, unused_codes }))
    await userEvent.click(button('Set up'))
    await expect.element(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    await expect.element(page.getByText('ABCD ABCD ABCD ABCD ABCD ABCD ABCD ABCD')).toBeVisible()
    await userEvent.fill(field('2. Code from the app'), '000000')
    await userEvent.click(button('Turn on'))
    await expect.element(page.getByText('Incorrect 2FA code')).toBeVisible()
    await reply(`GET ${authenticators}`, ok([totp, codes]))
    await userEvent.fill(field('2. Code from the app'), '123456')
    await userEvent.click(button('Turn on'))
    await expect.element(page.getByText('01234567')).toBeVisible()
    await expect.element(button('Download')).toBeVisible()
    await userEvent.click(button('I’ve saved them'))
    await expect.element(page.getByText('10 of 10 codes left')).toBeVisible()
    expect(await bodies('POST', totpPath)).toEqual([{ code: '000000' }, { code: '123456' }])
    // A set-up reads one secret: each further read would void the secret that was scanned.
    expect(await sent('GET', totpPath)).toHaveLength(1)
  })

  it('A-06 an old proof is renewed on the way, and the call repeated', async () => {
    await open()
    await reply(`GET ${totpPath}`, offer)
    await reply(`POST ${totpPath}`, stale(byPassword), ok(totp, { recovery_codes_generated: true }))
    await reply(`POST ${AUTH}/auth/reauthenticate`, refused('incorrect_password', 'password'), proven)
    await reply(`GET ${codesPath}`, ok({ ...codes, unused_codes }))
    await userEvent.click(button('Set up'))
    await userEvent.fill(field('2. Code from the app'), '123456')
    await userEvent.click(button('Turn on'))
    const ask = dialog('Confirm it’s you')
    await expect.element(ask).toBeVisible()
    expect(document.activeElement?.getAttribute('name')).toBe('password')
    await userEvent.fill(ask.getByLabelText('Password', { exact: true }), 'wrong')
    await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
    await expect.element(ask.getByText('The password isn’t correct')).toBeVisible()
    await userEvent.fill(ask.getByLabelText('Password', { exact: true }), 'right words')
    await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
    await expect.element(page.getByText('01234567')).toBeVisible()
    expect(await sent('POST', totpPath)).toHaveLength(2)
  })

  it('an unproven address is shown, with a link to prove it', async () => {
    await open()
    await reply(`GET ${totpPath}`, {
      status: 409,
      body: { status: 409, errors: [{ code: 'unverified_email', message: '' }] },
    })
    await userEvent.click(button('Set up'))
    await expect.element(page.getByText('Confirm all your email addresses first')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Go to email addresses' })).toBeVisible()
  })

  it('A-09 turns it off only after a code, whenever the last proof was', async () => {
    await open(totp, codes)
    await reply(`POST ${AUTH}/auth/2fa/reauthenticate`, proven)
    await reply(`DELETE ${totpPath}`, { status: 200, body: { status: 200 } })
    await userEvent.click(button('Turn off'))
    const confirm = dialog('Turn off two-factor authentication?')
    await userEvent.click(confirm.getByRole('button', { name: 'Turn off', exact: true }))
    const ask = dialog('Confirm it’s you')
    await userEvent.fill(ask.getByLabelText('Two-factor code'), '123456')
    await reply(`GET ${authenticators}`, ok([]))
    await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
    await expect.poll(lastToast).toBe('Two-factor authentication is off')
    const order = (await requests()).map(({ method, path }) => `${method} ${path}`)
    const [asked, deleted] = [
      order.indexOf(`POST ${AUTH}/auth/2fa/reauthenticate`),
      order.indexOf(`DELETE ${totpPath}`),
    ]
    expect(asked).toBeGreaterThan(-1)
    expect(deleted).toBeGreaterThan(asked)
    await expect.element(button('Set up')).toBeVisible()
  })

  it('asks, after a second factor was removed, whether the other devices stay signed in', async () => {
    const sessions = `${AUTH}/auth/sessions`
    const device = (id: number, is_current: boolean) => ({
      id,
      user_agent: navigator.userAgent,
      ip: '192.0.2.7',
      created_at: 1_790_000_000,
      last_seen_at: 1_790_000_000,
      is_current,
    })
    await reply(`GET ${sessions}`, ok([device(3, true), device(4, false), device(5, false)]))
    await reply(`DELETE ${sessions}`, ok([device(3, true)]))
    await open(totp, codes)
    await reply(`POST ${AUTH}/auth/2fa/reauthenticate`, proven)
    await reply(`DELETE ${totpPath}`, { status: 200, body: { status: 200 } })
    await userEvent.click(button('Turn off'))
    await userEvent.click(
      dialog('Turn off two-factor authentication?').getByRole('button', { name: 'Turn off', exact: true }),
    )
    const ask = dialog('Confirm it’s you')
    await userEvent.fill(ask.getByLabelText('Two-factor code'), '123456')
    await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
    const others = dialog('Sign out the other devices?')
    await expect.element(others.getByRole('button', { name: 'Keep them signed in' })).toBeVisible()
    expect(await sent('DELETE', sessions)).toEqual([])
    await userEvent.click(others.getByRole('button', { name: /^Sign out/ }))
    await expect.poll(lastToast).toBe('Signed out')
    expect(await bodies('DELETE', sessions)).toEqual([{ sessions: [4, 5] }])
  })

  it('A-09 without a proof nothing changes', async () => {
    await open(totp, codes)
    await userEvent.click(button('Turn off'))
    await userEvent.click(
      dialog('Turn off two-factor authentication?').getByRole('button', { name: 'Turn off', exact: true }),
    )
    await expect.element(dialog('Confirm it’s you')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog('Confirm it’s you')).not.toBeInTheDocument()
    expect(await sent('DELETE', totpPath)).toEqual([])
  })
})

describe('recovery codes', () => {
  it('A-09 shows them after a proof by any way the account has', async () => {
    await open(totp, codes)
    await reply(`GET ${codesPath}`, stale(byPassword, byCode), ok({ ...codes, unused_codes }))
    await reply(`POST ${AUTH}/auth/2fa/reauthenticate`, proven)
    await userEvent.click(button('Show codes'))
    await userEvent.click(button('Use a code instead'))
    await userEvent.fill(field('Two-factor code'), '11111112')
    await userEvent.click(button('Confirm'))
    await expect.element(page.getByText('01234567')).toBeVisible()
    expect(document.querySelectorAll('dialog[open] li')).toHaveLength(unused_codes.length)
  })

  it('A-09 makes new ones after a warning, and shows them', async () => {
    await open(totp, { ...codes, unused_code_count: 2 })
    await expect.element(page.getByText('2 of 10 codes left')).toBeVisible()
    const renewed = ok({ ...codes, unused_codes })
    await reply(`POST ${codesPath}`, renewed)
    await reply(`GET ${codesPath}`, renewed)
    await reply(`GET ${authenticators}`, ok([totp, codes]))
    await userEvent.click(button('Generate new codes'))
    await userEvent.click(
      dialog('Generate new recovery codes?').getByRole('button', { name: 'Generate new codes' }),
    )
    await expect.element(page.getByText('33333334')).toBeVisible()
    await expect.element(page.getByText('10 of 10 codes left')).toBeInTheDocument()
  })
})
