import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { queryClient } from '#foundation/web/api/query.ts'
import { storedSession, storeTokens, storeUser } from '#foundation/web/api/stored-session.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'
import { ToastList } from '#foundation/web/toasts/toast-list.tsx'
import { clearToasts, currentToasts, toastText } from '#foundation/web/toasts/toasts.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { ProfileSecurityPage } from './profile-security-page.tsx'

const AUTH = '/api/allauth/app/v1'
const authenticators = `${AUTH}/account/authenticators`
const totpPath = `${authenticators}/totp`
const codesPath = `${authenticators}/recovery-codes`
const passkeyPath = `${authenticators}/webauthn`

const user = { id: '1', display: 'anna@example.com', email: 'anna@example.com', has_usable_password: true }
const totp = { type: 'totp', created_at: 1_790_000_000, last_used_at: null }
const codes = {
  type: 'recovery_codes',
  created_at: 1_790_000_000,
  last_used_at: null,
  total_code_count: 10,
  unused_code_count: 10,
}
const unused_codes = ['01234567', '11111112', '22222223', '33333334']
const blueKey = {
  type: 'webauthn',
  id: 7,
  name: 'Blue key',
  is_passwordless: true,
  created_at: 1_790_000_000,
  last_used_at: null,
}
const ok = (data: unknown, meta?: unknown) => ({
  status: 200,
  body: { status: 200, data, ...(meta ? { meta } : {}) },
})
const refused = (code: string, param?: string) => ({
  status: 400,
  body: { status: 400, errors: [{ code, message: code, ...(param ? { param } : {}) }] },
})
const proven = ok({ user, methods: [] }, { is_authenticated: true })
const stale = (...flows: object[]) => ({
  status: 401,
  body: { status: 401, data: { user, methods: [], flows }, meta: { is_authenticated: true } },
})
const byPassword = { id: 'reauthenticate' }
const byCode = { id: 'mfa_reauthenticate', types: ['recovery_codes', 'totp'] }

// For the links alone; the page itself is rendered without a route.
const router = createRouter({ routeTree: createRootRoute() })
const Localized = localized(ProfileSecurityPage)

async function open(...factors: object[]) {
  await reply(`GET ${authenticators}`, ok(factors))
  await render(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <Localized />
        <ToastList />
      </RouterContextProvider>
    </QueryClientProvider>,
  )
  await expect.element(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
}

const sent = async (method: string, path: string) =>
  (await requests()).filter((request) => request.method === method && request.path.split('?')[0] === path)
const bodies = async (method: string, path: string) =>
  (await sent(method, path)).map(({ body }) => JSON.parse(body || 'null') as unknown)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
const lastToast = () => {
  const shown = currentToasts().at(-1)
  return shown ? toastText(shown.message) : undefined
}

beforeEach(async () => {
  clearToasts()
  queryClient.clear()
  setLocale('en')
  await resetWire()
  storeUser(user)
  storeTokens({ access: `x.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.x`, refresh: 'x' })
  await reply(
    `GET ${AUTH}/auth/sessions`,
    ok([
      {
        id: 3,
        user_agent: navigator.userAgent,
        ip: '192.0.2.7',
        created_at: 1_790_000_000,
        is_current: true,
      },
    ]),
  )
})

describe('password', () => {
  const path = `${AUTH}/account/password/change`

  async function change(current: string, next: string, repeated = next) {
    await userEvent.fill(field('Current password'), current)
    await userEvent.fill(field('New password'), next)
    await userEvent.fill(field('Repeat the new password'), repeated)
    await userEvent.click(button('Change password'))
  }

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
    await expect.element(field('Current password')).toHaveValue('')
  })

  it('V-02 tells each fault at its field and keeps what was typed', async () => {
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
    await expect.element(page.getByText('The password is too common')).toBeVisible()
    await expect.element(field('New password')).toHaveValue('password1')
    await inAct(() => setLocale('de'))
    await expect.element(page.getByText('Das Passwort ist zu verbreitet')).toBeVisible()
  })

  it('V-02 the two must match: told without asking the server', async () => {
    await open()
    await change('old secret words', 'new secret words', 'other words')
    await expect.element(page.getByText('The two passwords do not match')).toBeVisible()
    expect(await sent('POST', path)).toEqual([])
  })

  it('A-08 says so where the server fails', async () => {
    await open()
    await reply(`POST ${path}`, { status: 500 })
    await change('old secret words', 'new secret words')
    await expect.poll(lastToast).toBe('Failed to change password')
  })
})

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
    await userEvent.fill(field('2. Code from the app'), '123456')
    await userEvent.click(button('Turn on'))
    await expect.element(page.getByText('01234567')).toBeVisible()
    await expect.element(button('Download')).toBeVisible()
    await reply(`GET ${authenticators}`, ok([totp, codes]))
    await userEvent.click(button('I have kept them'))
    await expect.element(page.getByText('10 of 10 codes left')).toBeVisible()
    expect(await bodies('POST', totpPath)).toEqual([{ code: '000000' }, { code: '123456' }])
    // One secret for one set-up: each further read would void what was scanned.
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
    const ask = dialog('Confirm that it is you')
    await expect.element(ask).toBeVisible()
    expect(document.activeElement?.getAttribute('name')).toBe('password')
    await userEvent.fill(ask.getByLabelText('Password', { exact: true }), 'wrong')
    await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
    await expect.element(ask.getByText('The password is not correct')).toBeVisible()
    await userEvent.fill(ask.getByLabelText('Password', { exact: true }), 'right words')
    await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
    await expect.element(page.getByText('01234567')).toBeVisible()
    expect(await sent('POST', totpPath)).toHaveLength(2)
  })

  it('an unproven address is told, with the way to it', async () => {
    await open()
    await reply(`GET ${totpPath}`, {
      status: 409,
      body: { status: 409, errors: [{ code: 'unverified_email', message: '' }] },
    })
    await userEvent.click(button('Set up'))
    await expect.element(page.getByText('Confirm all your e-mail addresses first')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'To your e-mail addresses' })).toBeVisible()
  })

  it('A-09 turns it off only after a code, whenever the last proof was', async () => {
    await open(totp, codes)
    await reply(`POST ${AUTH}/auth/2fa/reauthenticate`, proven)
    await reply(`DELETE ${totpPath}`, { status: 200, body: { status: 200 } })
    await userEvent.click(button('Turn off'))
    const confirm = dialog('Turn off two-factor authentication?')
    await userEvent.click(confirm.getByRole('button', { name: 'Turn off', exact: true }))
    const ask = dialog('Confirm that it is you')
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

  it('A-09 who does not prove it changes nothing', async () => {
    await open(totp, codes)
    await userEvent.click(button('Turn off'))
    await userEvent.click(
      dialog('Turn off two-factor authentication?').getByRole('button', { name: 'Turn off', exact: true }),
    )
    await expect.element(dialog('Confirm that it is you')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog('Confirm that it is you')).not.toBeInTheDocument()
    expect(await sent('DELETE', totpPath)).toEqual([])
  })
})

describe('recovery codes', () => {
  it('A-09 shows them after a proof by any way the account has', async () => {
    await open(totp, codes)
    await reply(`GET ${codesPath}`, stale(byPassword, byCode), ok({ ...codes, unused_codes }))
    await reply(`POST ${AUTH}/auth/2fa/reauthenticate`, proven)
    await userEvent.click(button('Show codes'))
    await userEvent.click(button('Use a code'))
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
    await userEvent.click(button('Make new codes'))
    await userEvent.click(dialog('Make new recovery codes?').getByRole('button', { name: 'Make new codes' }))
    await expect.element(page.getByText('33333334')).toBeVisible()
    await expect.element(page.getByText('10 of 10 codes left')).toBeInTheDocument()
  })
})

describe('passkeys', () => {
  const creation = (challenge: string, site = location.hostname) =>
    ok({
      creation_options: {
        publicKey: {
          challenge,
          rp: { id: site, name: 'Hostdesk' },
          user: { id: 'MQ', name: 'anna@example.com', displayName: 'anna@example.com' },
          pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        },
      },
    })

  async function withAuthenticator<T>(work: () => Promise<T>): Promise<T> {
    const session = cdp() as unknown as {
      send: (method: string, params?: object) => Promise<{ authenticatorId: string }>
    }
    await session.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    }
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
    try {
      return await work()
    } finally {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    }
  }

  it('adds one by the browser’s own dialog', async () => {
    await open()
    await reply(`GET ${passkeyPath}`, creation('Y2hhbGxlbmdl'))
    await reply(`POST ${passkeyPath}`, ok(blueKey, { recovery_codes_generated: true }))
    await withAuthenticator(async () => {
      await userEvent.click(button('Add passkey'))
      await userEvent.fill(field('Name'), 'Blue key')
      await reply(`GET ${authenticators}`, ok([blueKey, codes]))
      await userEvent.click(button('Continue'))
      await expect.poll(lastToast).toBe('Passkey added')
    })
    const [body] = await bodies('POST', passkeyPath)
    expect(body).toMatchObject({
      name: 'Blue key',
      credential: { type: 'public-key', response: { clientDataJSON: expect.any(String) } },
    })
    expect((await sent('GET', passkeyPath))[0]?.path).toContain('passwordless=')
    await expect.element(page.getByRole('button', { name: 'Actions for “Blue key”' })).toBeVisible()
  })

  it('says so where the customer would not', async () => {
    await open()
    // A challenge for another site: the browser refuses at once, as it does on a cancel.
    await reply(`GET ${passkeyPath}`, creation('Y2hhbGxlbmdl', 'elsewhere.example'))
    await userEvent.click(button('Add passkey'))
    await userEvent.click(button('Continue'))
    await expect.element(page.getByText('No passkey was created. Please try again.')).toBeVisible()
    expect(await sent('POST', passkeyPath)).toEqual([])
  })

  it('renames and removes one', async () => {
    await open(blueKey, codes)
    await reply(`PUT ${passkeyPath}`, ok({ ...blueKey, name: 'Office' }))
    await reply(`DELETE ${passkeyPath}`, { status: 200, body: { status: 200 } })
    await userEvent.click(page.getByRole('button', { name: 'Actions for “Blue key”' }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Rename' }))
    await userEvent.fill(field('Name'), 'Office')
    await reply(`GET ${authenticators}`, ok([{ ...blueKey, name: 'Office' }, codes]))
    await userEvent.click(button('Save'))
    await expect.element(page.getByRole('button', { name: 'Actions for “Office”' })).toBeVisible()
    expect(await bodies('PUT', passkeyPath)).toEqual([{ id: 7, name: 'Office' }])
    await userEvent.click(page.getByRole('button', { name: 'Actions for “Office”' }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Remove' }))
    await reply(`GET ${authenticators}`, ok([]))
    await userEvent.click(
      dialog('Remove the passkey “Office”?').getByRole('button', { name: 'Remove', exact: true }),
    )
    await expect.element(page.getByText('You have no passkeys yet.')).toBeVisible()
    expect(await bodies('DELETE', passkeyPath)).toEqual([{ authenticators: [7] }])
  })
})

describe('devices', () => {
  const phone = {
    id: 4,
    user_agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    ip: '198.51.100.9',
    created_at: 1_790_000_100,
    is_current: false,
  }
  const here = {
    id: 3,
    user_agent: navigator.userAgent,
    ip: '192.0.2.7',
    created_at: 1_790_000_000,
    is_current: true,
  }
  const path = `${AUTH}/auth/sessions`

  it('lists them by names people know and signs one out', async () => {
    await reply(`GET ${path}`, ok([here, phone]))
    await open()
    await expect.element(page.getByText('Safari, iPhone')).toBeVisible()
    await expect.element(page.getByText('This device')).toBeVisible()
    await reply(`DELETE ${path}`, ok([here]))
    await reply(`GET ${path}`, ok([here]))
    await userEvent.click(button('Sign out'))
    await expect.element(page.getByText('Safari, iPhone')).not.toBeInTheDocument()
    expect(await bodies('DELETE', path)).toEqual([{ sessions: [4] }])
  })

  it('signs all others out at once', async () => {
    await reply(`GET ${path}`, ok([here, phone, { ...phone, id: 5 }]))
    await open()
    await reply(`DELETE ${path}`, ok([here]))
    await reply(`GET ${path}`, ok([here]))
    await userEvent.click(button('Sign out all others'))
    await expect.element(button('Sign out all others')).not.toBeInTheDocument()
    expect(await bodies('DELETE', path)).toEqual([{ sessions: [4, 5] }])
  })
})
