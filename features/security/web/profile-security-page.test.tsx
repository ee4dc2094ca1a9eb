import { describe, expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct } from '#tests/web/render.tsx'
import {
  AUTH,
  user,
  ok,
  sent,
  bodies,
  button,
  field,
  lastToast,
  open,
  startSecurity,
} from '#tests/web/security-page.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startSecurity)

async function change(current: string, next: string, repeated = next) {
  if (field('Current password').elements().length === 0) await userEvent.click(button('Change password'))
  await userEvent.fill(field('Current password'), current)
  await userEvent.fill(field('New password'), next)
  await userEvent.fill(field('Repeat the new password'), repeated)
  await userEvent.click(button('Set new password'))
}

describe('password', () => {
  const path = `${AUTH}/account/password/change`

  it('A-08 changes it, stores the new tokens and empties the fields', async () => {
    await open()
    const tokens = { access: `y.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.y`, refresh: 'r2' }
    await reply(
      `POST ${path}`,
      ok({ user, methods: [] }, { is_authenticated: true, session_token: 's2', access_token: tokens }),
    )
    await change('old secret words', 'new secret words')
    await expect.poll(lastToast).toBe('Password changed')
    expect(await bodies('POST', path)).toEqual([
      { current_password: 'old secret words', new_password: 'new secret words' },
    ])
    expect([storedSession.sessionToken(), storedSession.refreshToken()]).toEqual(['s2', 'r2'])
    await expect.element(field('Current password')).not.toBeInTheDocument()
  })

  it('V-02 shows each error at its field and keeps what was typed', async () => {
    await open()
    await reply(`POST ${path}`, {
      status: 400,
      body: {
        status: 400,
        errors: [
          { code: 'enter_current_password', param: 'current_password', message: '' },
          { code: 'password_too_common', param: 'new_password', message: '' },
        ],
      },
    })
    await change('wrong', 'password1')
    await expect.element(page.getByText('Enter your current password')).toBeVisible()
    await expect.element(page.getByText('This password is too common')).toBeVisible()
    await expect.element(field('New password')).toHaveValue('password1')
    await inAct(() => setLocale('de'))
    await expect.element(page.getByText('Das Passwort ist zu verbreitet')).toBeVisible()
  })

  it('V-02 the two must match: shown without asking the server', async () => {
    await open()
    await change('old secret words', 'new secret words', 'other words')
    await expect.element(page.getByText('The two passwords don’t match')).toBeVisible()
    expect(await sent('POST', path)).toEqual([])
  })

  it('A-08 shows an error if the server fails', async () => {
    await open()
    await reply(`POST ${path}`, { status: 500 })
    await change('old secret words', 'new secret words')
    await expect.poll(lastToast).toBe('Failed to change password')
  })
})

describe('devices', () => {
  const phone = {
    id: 4,
    user_agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    ip: '198.51.100.9',
    created_at: 1_790_000_100,
    last_seen_at: Date.now() / 1000 - 7200,
    is_current: false,
  }
  const here = {
    id: 3,
    user_agent: navigator.userAgent,
    ip: '192.0.2.7',
    created_at: 1_790_000_000,
    last_seen_at: Date.now() / 1000,
    is_current: true,
  }
  const path = `${AUTH}/auth/sessions`

  it('lists them by names people know and signs one out', async () => {
    await reply(`GET ${path}`, ok([here, phone]))
    await open()
    await expect.element(page.getByText('Safari 19, iPhone')).toBeVisible()
    await expect.element(page.getByText(/198\.51\.100\.9 · active 2 hours ago · signed in/)).toBeVisible()
    await expect.element(page.getByText('This device')).toBeVisible()
    await reply(`DELETE ${path}`, ok([here]))
    await reply(`GET ${path}`, ok([here]))
    await userEvent.click(button('Sign out'))
    await expect.element(page.getByText('Safari 19, iPhone')).not.toBeInTheDocument()
    expect(await bodies('DELETE', path)).toEqual([{ sessions: [4] }])
  })

  it('signs all other devices out at once', async () => {
    await reply(`GET ${path}`, ok([here, phone, { ...phone, id: 5 }]))
    await open()
    await reply(`DELETE ${path}`, ok([here]))
    await reply(`GET ${path}`, ok([here]))
    await userEvent.click(button('Sign out all others'))
    await expect.element(button('Sign out all others')).not.toBeInTheDocument()
    expect(await bodies('DELETE', path)).toEqual([{ sessions: [4, 5] }])
  })
})
