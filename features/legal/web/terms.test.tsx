import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { routes as authRoutes } from '#features/auth/web/feature.tsx'
import { routes as financeRoutes } from '#features/finance/web/feature.tsx'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { localized } from '#foundation/web/i18n/localized.tsx'
import { operator } from '#foundation/web/operator.ts'
import { registerSlots } from '#foundation/web/slots.tsx'
import { orderedOf, startLicences } from '#tests/web/licence-pages.tsx'
import { inAct } from '#tests/web/render.tsx'
import { lastToast, openAt, refused, sent } from '#tests/web/routed-pages.tsx'
import { bodies, button, field, openServers, paidHost, visible } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { slots } from './feature.tsx'
import { TermsPrompt } from './terms-prompt.tsx'

beforeEach(startLicences)

const url = 'https://nordic.example/terms'
const TERMS = '/api/users/terms/'
const AUTH = '/api/allauth/app/v1'
const termsAre = (version: string, accepted: string | null) => ({
  status: 200,
  body: {
    current: { version, url },
    accepted: accepted === null ? null : { version: accepted, at: '2026-11-20T10:00:00Z' },
  },
})
const asked = (code: string, version: string) => {
  const answer = refused(409, code)
  return { ...answer, body: { ...answer.body, version, url } }
}
const box = page.getByRole('checkbox', { name: 'I accept the terms' })

beforeEach(() => {
  registerSlots(slots)
  Object.assign(operator, { terms_version: '2', terms_url: url })
  return () => Object.assign(operator, { terms_version: undefined, terms_url: undefined })
})

describe('the band above the first page', () => {
  const Band = localized(TermsPrompt)
  const pages = [{ path: '/servers/list', page: () => Promise.resolve(Page), title: () => '' }]
  function Page() {
    return (
      <QueryClientProvider client={queryClient}>
        <Band />
        <input aria-label="Behind" />
      </QueryClientProvider>
    )
  }

  it('L-01 says that the terms changed, leaves the page usable, and goes once they are accepted', async () => {
    await reply(`GET ${TERMS}`, termsAre('2', '1'))
    await reply(`POST ${TERMS}`, { status: 500 }, asked('terms_changed', '3'), termsAre('3', '3'))
    await openAt('/servers/list', pages)
    await visible('Our terms have changed')
    await userEvent.fill(page.getByRole('textbox', { name: 'Behind' }), 'typed')
    await expect.element(page.getByRole('link', { name: /version 2/ })).toHaveAttribute('href', url)
    await expect.element(page.getByRole('link', { name: 'Sign out' })).toBeVisible()
    await userEvent.click(button('Accept terms'))
    await expect.poll(lastToast).toMatch(/again/)
    await userEvent.click(button('Accept terms'))
    await expect.poll(lastToast).toMatch(/terms have changed/)
    await expect.element(page.getByRole('link', { name: /version 3/ })).toBeVisible()
    await userEvent.click(button('Accept terms'))
    await expect.poll(() => page.getByRole('button', { name: 'Accept terms' }).elements()).toEqual([])
    expect(await bodies('POST', TERMS)).toEqual([{ version: '2' }, { version: '2' }, { version: '3' }])
    await expect.element(page.getByRole('textbox', { name: 'Behind' })).toHaveValue('typed')
  })

  it('L-01 is not shown to a customer who has accepted the current terms', async () => {
    await reply(`GET ${TERMS}`, termsAre('2', '2'))
    await openAt('/servers/list', pages)
    await expect.poll(async () => (await sent('GET', TERMS)).length).toBe(1)
    expect(page.getByText('Our terms').elements()).toEqual([])
  })
})

it('L-01 the sign-up demands the box, keeps what was typed, and sends the version that it showed', async () => {
  clearSession(seeSession())
  const meta = { is_authenticated: false, session_token: 'half' }
  const data = { flows: [{ id: 'verify_email', is_pending: true }] }
  await reply(`POST ${AUTH}/auth/signup`, { status: 401, body: { status: 401, data, meta } })
  await openAt('/auth?view=signup', authRoutes)
  await expect.element(box).toBeVisible()
  await userEvent.fill(field('Email'), 'anna@example.com')
  for (const name of ['password', 'repeat_password'])
    await userEvent.fill(
      page.elementLocator(document.querySelector(`[name=${name}]`) ?? document.body),
      'lively-otter-42',
    )
  await userEvent.click(button('Create account'))
  await visible('Field is required')
  expect(await sent('POST', `${AUTH}/auth/signup`)).toEqual([])
  await inAct(() => setLocale('de'))
  await expect.element(field('E-Mail-Adresse')).toHaveValue('anna@example.com')
  await inAct(() => setLocale('en'))
  await userEvent.click(box)
  await userEvent.click(button('Create account'))
  await expect.poll(() => bodies('POST', `${AUTH}/auth/signup`)).toMatchObject([{ terms: '2' }])
})

describe('in a form that spends or brings money', () => {
  it('L-01 a refused order shows the box, also on a page that is older than the setting, and keeps what was typed', async () => {
    Object.assign(operator, { terms_version: undefined })
    await reply('POST /api/hosts/order/', asked('terms_not_accepted', '5'), orderedOf(paidHost))
    await openServers('/servers/list')
    await userEvent.click(button('New server'))
    await userEvent.fill(field('Name'), 'web-1')
    await userEvent.fill(field('IPv4 address'), '192.0.2.7')
    expect(box.elements()).toEqual([])
    const pay = page.getByRole('button', { name: /^Order for/ })
    await userEvent.click(pay)
    await visible('Please read and accept the terms first.')
    await userEvent.click(pay)
    await expect.element(box).toHaveAttribute('aria-invalid', 'true')
    await userEvent.click(box)
    await inAct(() => setLocale('ru'))
    await expect
      .element(page.getByRole('checkbox', { name: 'Я принимаю условия использования' }))
      .toBeChecked()
    await inAct(() => setLocale('en'))
    await expect.element(field('Name')).toHaveValue('web-1')
    await userEvent.click(pay)
    await expect.poll(async () => (await bodies('POST', '/api/hosts/order/')).length).toBe(2)
    expect((await bodies('POST', '/api/hosts/order/'))[1]).toMatchObject({ terms: '5', name: 'web-1' })
  })

  it('L-01 a top-up asks before it is sent', async () => {
    await reply(`GET ${TERMS}`, termsAre('2', null))
    for (const path of ['/api/finances/transactions/', '/api/finances/top-ups/'])
      await reply(`GET ${path}`, { status: 200, body: { items: [], next_cursor: null } })
    await reply('POST /api/finances/top-ups/', asked('terms_changed', '3'))
    await openAt('/finances', financeRoutes)
    await userEvent.click(page.getByRole('button', { name: 'Top up' }).first())
    await userEvent.fill(field('Amount'), '42')
    await userEvent.click(box)
    await userEvent.click(button('Continue to payment'))
    await visible('The terms have changed. Please read and accept the new version first.')
    await expect.element(page.getByRole('link', { name: /version 3/ })).toBeVisible()
    await expect.element(field('Amount')).toHaveValue('42')
    expect(await bodies('POST', '/api/finances/top-ups/')).toMatchObject([{ terms: '2' }])
  })
})
