import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { clearSession, seeSession, storedSession } from '#foundation/web/api/stored-session.ts'
import { storeSessionToken, storeTokens } from '#tests/web/stored.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'
import { searchOf } from '#foundation/web/navigation.tsx'
import { clearToasts, currentToasts, toast, toastText } from '#foundation/web/toasts/toasts.ts'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { AuthPage } from './auth-page.tsx'
import { LogoutPage } from './logout-page.tsx'

const AUTH = '/api/allauth/app/v1'
const user = { id: '7', display: 'anna@example.com', email: 'anna@example.com', has_usable_password: true }
const flows = [{ id: 'login' }, { id: 'signup' }]
const meta = { is_authenticated: false }
const pending = (id: string, types?: string[]) => ({
  status: 401,
  body: {
    status: 401,
    data: { flows: [...flows, { id, is_pending: true, ...(types ? { types } : {}) }] },
    meta: { ...meta, session_token: 'half' },
  },
})
const anonymous = { status: 401, body: { status: 401, data: { flows }, meta } }
const signedIn = {
  status: 200,
  body: {
    status: 200,
    data: { user, methods: [] },
    meta: { is_authenticated: true, session_token: 's', access_token: { access: 'x.e30.x', refresh: 'r' } },
  },
}
const refused = (code: string, param?: string) => ({
  status: 400,
  body: { status: 400, errors: [{ code, message: code, ...(param ? { param } : {}) }] },
})

async function open(path: string) {
  const root = createRootRoute({ component: Outlet })
  const pages = {
    '/auth': localized(AuthPage),
    '/logout': localized(LogoutPage),
    '/settings/account': Outlet,
  }
  const history = createMemoryHistory({ initialEntries: [path] })
  const router = createRouter({
    history,
    parseSearch: searchOf,
    stringifySearch: (search) => `?${new URLSearchParams(search as Record<string, string>)}`,
    routeTree: root.addChildren(
      Object.entries(pages).map(([at, Page]) =>
        createRoute({ getParentRoute: () => root, path: at, component: () => <Page /> }),
      ),
    ),
  })
  await render(<RouterProvider router={router} />)
  return { at: () => history.location.pathname }
}

const field = (name: string) => {
  const element = document.querySelector<HTMLInputElement>(`[name=${name}]`)
  if (!element) throw new Error(`no field ${name}`)
  return element
}
const fill = async (values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values)) {
    await expect.poll(() => document.querySelector(`[name=${name}]`)).not.toBeNull()
    await userEvent.fill(field(name), value)
  }
}
const submit = () => userEvent.click(page.elementLocator(document.querySelector('button[type=submit]')!))
const heading = () => document.querySelector('h1')?.textContent
const noteOf = (name: string) =>
  document.querySelector(`#${CSS.escape(field(name).getAttribute('aria-describedby') ?? 'none')}`)
    ?.textContent
const alertText = () => document.querySelector('[role=alert]')?.textContent
const lastToast = () => {
  const shown = currentToasts().at(-1)
  return shown ? toastText(shown.message) : undefined
}
const posted = async (path: string) =>
  (await requests()).filter((request) => request.path === `${AUTH}${path}` && request.method === 'POST')
const typed = { email: 'anna@example.com', password: 'lively-otter-42' }

beforeEach(async () => {
  clearSession(seeSession())
  clearToasts()
  setLocale('en')
  await resetWire()
})

it('focuses the first field, and describes the product', async () => {
  await open('/auth')
  await expect.element(page.getByLabelText('Email')).toHaveFocus()
  await expect.element(page.getByText('Your servers, licences and support in one place.')).toBeInTheDocument()
})

describe('signing in', () => {
  // Seen red: Tab led to "Forgot password?", which stood before the field.
  it('A-02 A-01 takes e-mail, Tab, password and Enter, and stores the four values', async () => {
    await reply(`POST ${AUTH}/auth/login`, signedIn)
    await open('/auth')
    await expect.element(page.getByLabelText('Email')).toHaveFocus()
    await userEvent.keyboard(`${typed.email}{Tab}${typed.password}{Enter}`)
    await expect.poll(() => storedSession.accessToken()).toBe('x.e30.x')
    expect(JSON.parse((await posted('/auth/login'))[0]!.body)).toEqual(typed)
    expect(storedSession.refreshToken()).toBe('r')
    expect(storedSession.sessionToken()).toBe('s')
    expect(storedSession.user()).toMatchObject({ id: '7', email: 'anna@example.com' })
    expect(lastToast()).toBe('You’re signed in')
  })

  it('A-14 shows a wrong password at its field and keeps what was typed, also in another language', async () => {
    await reply(`POST ${AUTH}/auth/login`, refused('email_password_mismatch', 'password'))
    await open('/auth')
    await fill(typed)
    await submit()
    await expect.poll(() => noteOf('password')).toBe('Wrong email or password')
    setLocale('de')
    await expect.poll(() => noteOf('password')).toBe('E-Mail-Adresse oder Passwort falsch')
    expect([field('email').value, field('password').value]).toEqual(Object.values(typed))
  })

  it('A-14 shows too many failed logins above the form', async () => {
    await reply(`POST ${AUTH}/auth/login`, refused('too_many_login_attempts'))
    await open('/auth')
    await fill(typed)
    await submit()
    await expect.poll(alertText).toContain('Too many failed login attempts')
  })

  it('shows a toast of its own when the server fails', async () => {
    await reply(`POST ${AUTH}/auth/login`, { status: 500, body: { status: 500 } })
    await open('/auth')
    await fill(typed)
    await submit()
    await expect.poll(lastToast).toBe('Failed to login. Server error')
    expect(field('password').value).toBe(typed.password)
  })

  it('starts clean where an old session token is dead', async () => {
    storeSessionToken('dead')
    await reply(
      `POST ${AUTH}/auth/login`,
      { status: 410, body: { status: 410, data: { flows }, meta } },
      signedIn,
    )
    await open('/auth')
    await fill(typed)
    await submit()
    await expect.poll(() => storedSession.accessToken()).toBe('x.e30.x')
    const tokens = (await posted('/auth/login')).map((request) => request.headers['x-session-token'])
    expect(tokens.at(-1)).toBeUndefined()
  })

  it('shows that an account is switched off if nothing is pending', async () => {
    await reply(`POST ${AUTH}/auth/login`, anonymous)
    await open('/auth')
    await fill(typed)
    await submit()
    await expect.poll(alertText).toContain('deactivated')
  })

  it('marks the e-mail and password fields so that password managers recognise them', async () => {
    await open('/auth')
    await expect.poll(() => field('email').autocomplete).toBe('username webauthn')
    expect(field('password').autocomplete).toBe('current-password')
    expect(field('email').type).toBe('email')
  })

  it('offers only what the installation offers', async () => {
    const account = { is_open_for_signup: false }
    const data = { account, mfa: { passkey_login_enabled: false } }
    await reply(`GET ${AUTH}/config`, { status: 200, body: { status: 200, data } })
    await open('/auth')
    await expect.poll(() => page.getByRole('link', { name: 'Create account' }).query()).toBeNull()
    expect(page.getByRole('button', { name: 'Sign in with a passkey' }).query()).toBeNull()
  })
})

const begin = async (types = ['recovery_codes', 'totp']) => {
  await reply(`POST ${AUTH}/auth/login`, pending('mfa_authenticate', types))
  const at = await open('/auth')
  await fill(typed)
  await submit()
  await expect.poll(heading).toBe('Two-factor authentication')
  return at
}

describe('the second step', () => {
  it('A-03 stores the token of the 401 and posts the code with it', async () => {
    await begin()
    expect(storedSession.sessionToken()).toBe('half')
    await expect.poll(() => document.activeElement).toBe(field('code'))
    expect(field('code').autocomplete).toBe('one-time-code')
    await reply(`POST ${AUTH}/auth/2fa/authenticate`, refused('incorrect_code', 'code'), signedIn)
    await fill({ code: '000000' })
    await submit()
    await expect.poll(() => noteOf('code')).toBe('Incorrect 2FA code')
    expect(field('code').value).toBe('000000')
    await fill({ code: '12345678' })
    await submit()
    await expect.poll(() => storedSession.accessToken()).toBe('x.e30.x')
    const [, right] = await posted('/auth/2fa/authenticate')
    expect(right).toMatchObject({ body: '{"code":"12345678"}', headers: { 'x-session-token': 'half' } })
  })

  it('A-03 a 401 starts over, and is not shown as a wrong code', async () => {
    const { at } = await begin()
    await reply(`POST ${AUTH}/auth/2fa/authenticate`, anonymous)
    await fill({ code: '123456' })
    await submit()
    await expect.poll(heading).toBe('Sign in')
    expect(at()).toBe('/auth')
    await expect.poll(alertText).toContain('session expired')
    expect(field('email').value, 'the address goes along').toBe(typed.email)
  })

  it('shows that the code could not be sent', async () => {
    await begin()
    await reply(`POST ${AUTH}/auth/2fa/authenticate`, { status: 502 })
    await fill({ code: '123456' })
    await submit()
    await expect.poll(lastToast).toBe('Failed to submit 2FA code')
  })

  it('offers the passkey if there is one, also after a reload', async () => {
    await begin(['webauthn'])
    await expect.element(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  })

  it('asks the server after a reload', async () => {
    storeSessionToken('half')
    await reply(`GET ${AUTH}/auth/session`, pending('mfa_authenticate', ['webauthn']))
    await open('/auth?view=code')
    await expect.element(page.getByRole('button', { name: 'Use a passkey' })).toBeVisible()
  })

  it('starts over after a reload if nothing is pending any more', async () => {
    await reply(`GET ${AUTH}/auth/session`, anonymous)
    await open('/auth?view=code')
    await expect.poll(heading).toBe('Sign in')
  })
})

describe('signing up', () => {
  const form = { ...typed, repeat_password: typed.password }

  it('A-04 posts e-mail and both passwords, and asks to look into the mail', async () => {
    await reply(`POST ${AUTH}/auth/signup`, pending('verify_email'))
    await open('/auth?view=signup')
    await fill(form)
    await submit()
    await expect.poll(heading).toBe('Check your email')
    expect(JSON.parse((await posted('/auth/signup'))[0]!.body)).toEqual(form)
    expect(document.querySelector('main')?.textContent).toContain('anna@example.com')

    await reply(
      `POST ${AUTH}/auth/email/verify/resend`,
      { status: 429, body: { status: 429 } },
      { status: 200, body: { status: 200 } },
    )
    await submit()
    await expect.poll(alertText).toContain('wait three minutes')
    await submit()
    await expect.poll(lastToast).toBe('We’ve sent the link again')
  })

  it('asks in the language of the page, so that the mail comes in it', async () => {
    setLocale('ru')
    await reply(`POST ${AUTH}/auth/signup`, pending('verify_email'))
    await open('/auth?view=signup')
    await fill(form)
    await submit()
    await expect.poll(() => posted('/auth/signup')).toHaveLength(1)
    expect((await posted('/auth/signup'))[0]!.headers['accept-language']).toBe('ru')
  })

  it('V-02 shows each error at its field', async () => {
    const errors = [
      { code: 'password_too_common', param: 'password', message: '' },
      { code: 'password_mismatch', param: 'repeat_password', message: '' },
    ]
    await reply(`POST ${AUTH}/auth/signup`, { status: 400, body: { status: 400, errors } })
    await open('/auth?view=signup')
    await fill(form)
    await submit()
    await expect.poll(() => noteOf('repeat_password')).toBe('The two passwords don’t match')
    expect(noteOf('password')).toMatch(/common/)
  })

  it('shows a failure, and that signing up is closed', async () => {
    await reply(`POST ${AUTH}/auth/signup`, { status: 500 }, { status: 403, body: { status: 403 } })
    await open('/auth?view=signup')
    await fill(form)
    await submit()
    await expect.poll(lastToast).toBe('Signup failure')
    await submit()
    await expect.poll(alertText).toContain('can’t be created')
  })
})

describe('links of mails', () => {
  const data = { email: user.email, user, is_new_account: true, account_since: 1_795_215_937 }
  const info = { status: 200, body: { status: 200, data, meta } }

  it('A-04 asks before it confirms; a 401 leads to signing in', async () => {
    await reply(`GET ${AUTH}/auth/email/verify`, info)
    await reply(`POST ${AUTH}/auth/email/verify`, anonymous)
    await open('/auth?verify=a%3Akey')
    await expect.poll(() => document.querySelector('main')?.textContent).toContain('with anna@example.com on')
    expect(await posted('/auth/email/verify')).toHaveLength(0)
    const [asked] = (await requests()).filter(({ path }) => path.endsWith('/email/verify'))
    expect(asked!.headers['x-email-verification-key']).toBe('a:key')
    await submit()
    await expect.poll(heading).toBe('Sign in')
    expect(lastToast()).toBe('Email verified. Please sign in with your password')
    expect((await posted('/auth/email/verify'))[0]!.body).toBe('{"key":"a:key"}')
    expect(field('email').value).toBe('anna@example.com')
    await expect.poll(() => document.activeElement).toBe(field('password'))
  })

  it('rule 37: names the account, and accepts "this is not mine" as an answer', async () => {
    await reply(`GET ${AUTH}/auth/email/verify`, info)
    await reply(`DELETE ${AUTH}/auth/email/verify`, { status: 200, body: { status: 200 } })
    await open('/auth?verify=a%3Akey')
    await userEvent.click(page.getByRole('button', { name: 'This wasn’t me' }))
    await expect.poll(lastToast).toContain('released')
  })

  it('A-14 shows that a link is invalid or has expired', async () => {
    await reply(`GET ${AUTH}/auth/email/verify`, refused('invalid_or_expired_key', 'key'))
    await open('/auth?verify=old')
    await expect.poll(alertText).toBe('This link is invalid or has expired')
  })

  it('A-05 asks for a link, and sets a password with it', async () => {
    await reply(`POST ${AUTH}/auth/password/request`, { status: 200, body: { status: 200 } })
    await open('/auth?view=forgotten')
    await fill({ email: typed.email })
    await submit()
    await expect.poll(alertText).toContain('Reset link sent')
    expect((await posted('/auth/password/request'))[0]!.body).toBe('{"email":"anna@example.com"}')
  })

  it('A-14 shows too many attempts for a temporary password', async () => {
    await reply(`POST ${AUTH}/auth/password/request`, { status: 429, body: { status: 429 } })
    await open('/auth?view=forgotten')
    await fill({ email: typed.email })
    await submit()
    await expect.poll(alertText).toContain('Too many password reset requests')
  })

  it('A-05 V-02 sets another password, judged at the field', async () => {
    await reply(`GET ${AUTH}/auth/password/reset`, { status: 200, body: { status: 200, data: { user } } })
    await reply(`POST ${AUTH}/auth/password/reset`, refused('same_as_current', 'password'), anonymous)
    await open('/auth?reset=key')
    await fill({ password: 'one-lantern-1', repeat_password: 'other-lantern-2' })
    await expect
      .poll(() => document.querySelector<HTMLButtonElement>('button[type=submit]')?.disabled)
      .toBe(false)
    await submit()
    await expect.poll(() => noteOf('repeat_password')).toBe('The two passwords don’t match')
    expect(await posted('/auth/password/reset')).toHaveLength(0)
    await fill({ repeat_password: 'one-lantern-1' })
    await submit()
    await expect.poll(() => field('password').getAttribute('aria-invalid')).toBe('true')
    await submit()
    await expect.poll(heading).toBe('Sign in')
    expect(lastToast()).toContain('Password changed')
    expect(field('email').value).toBe('anna@example.com')
  })

  it('A-14 offers another link if one does not work', async () => {
    await reply(`GET ${AUTH}/auth/password/reset`, refused('invalid_password_reset', 'key'))
    await open('/auth?reset=old')
    await expect.poll(alertText).toBe('This link is invalid or has expired')
    await expect.element(page.getByRole('link', { name: 'Request a new link' })).toBeVisible()
  })
})

describe('while "Session expired" is shown, which suppresses other toasts (row T-06)', () => {
  beforeEach(() => void toast({ message: 'Session expired', isAuthError: true, closeable: true }))

  it.each([
    ['/auth', 'login', typed],
    ['/auth?view=signup', 'signup', { ...typed, repeat_password: typed.password }],
  ])('the form itself shows what failed: %s', async (view, path, fields) => {
    await reply(`POST ${AUTH}/auth/${path}`, { status: 503 })
    await open(view)
    await fill(fields)
    await submit()
    await expect.poll(alertText).toBeTruthy()
    expect(currentToasts()).toHaveLength(1)
    expect(field('email').value).toBe(typed.email)
  })

  it('the form of the second step shows the failure itself', async () => {
    await begin()
    await reply(`POST ${AUTH}/auth/2fa/authenticate`, { status: 503 })
    await fill({ code: '123456' })
    await submit()
    await expect.poll(alertText).toBeTruthy()
  })
})

it('A-07 shows that a sign-out failed, stays signed in, and offers it again', async () => {
  storeTokens({ access: 'x.e30.x', refresh: 'r' })
  await reply(`DELETE ${AUTH}/auth/session`, { status: 503 }, anonymous)
  await open('/logout')
  await expect.poll(heading).toBe('You’re not signed out yet')
  expect(document.querySelector('[role=alert]')?.textContent).not.toMatch(/reach/u)
  expect(storedSession.accessToken()).not.toBeNull()
  await userEvent.click(page.getByRole('button', { name: 'Try again' }))
  await expect.poll(() => storedSession.accessToken()).toBeNull()
})

it('A-07 A-01 signing out takes a 401 for success and clears all four', async () => {
  await reply(`POST ${AUTH}/auth/login`, signedIn)
  await open('/auth')
  await fill(typed)
  await submit()
  await expect.poll(() => storedSession.accessToken()).not.toBeNull()
  await reply(`DELETE ${AUTH}/auth/session`, anonymous)
  await open('/logout')
  await expect.poll(() => storedSession.accessToken()).toBeNull()
  expect([storedSession.user(), storedSession.refreshToken(), storedSession.sessionToken()]).toEqual([
    undefined,
    null,
    null,
  ])
  await expect.poll(lastToast).toBe('See you soon')
  const sent = (await requests()).filter(({ method }) => method === 'DELETE')
  expect(sent).toHaveLength(1)
  expect(sent[0]!.headers).toMatchObject({ 'x-session-token': 's', authorization: 'Bearer x.e30.x' })
})
