import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { slots as finance } from '#features/finance/web/feature.tsx'
import { languageId } from '#features/profile/rules.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { isSignedIn } from '#foundation/web/api/stored-session.ts'
import { storeTokens } from '#tests/web/stored.ts'
import { currentLocale, setLocale } from '#foundation/web/i18n/locale.ts'
import { registerSlots } from '#foundation/web/slots.tsx'
import { clearToasts, currentToasts, toastText } from '#foundation/web/toasts/toasts.ts'
import { inAct } from '#tests/web/render.tsx'
import { openAt } from '#tests/web/routed-pages.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { live } from './live.ts'
import { tabId } from '#foundation/web/api/request.ts'
import { routes } from './feature.tsx'

const anna = {
  id: '0',
  email: 'anna@example.com',
  display: 'Anna Brückner',
  name: 'Anna',
  middle_name: '',
  surname: 'Brückner',
  is_staff: false,
  country: 'DE',
  language: languageId('en'),
  time_zone: 'Europe/Berlin',
  address: 'Am Markt 1',
  apartment: '',
  zip: '20095',
  city: 'Hamburg',
  state: '',
  company: '',
  vat_id: '',
  created_at: '2026-01-02T03:04:05.000Z',
  version: 1,
}
const addresses = [
  { email: anna.email, verified: true, primary: true },
  { email: 'anna@work.example', verified: true, primary: false },
  { email: 'new@example.com', verified: false, primary: false },
]
const email = '/api/allauth/app/v1/account/email'

async function open() {
  await openAt('/settings/account', routes)
  await expect.element(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Anna')
}

const sent = async (method: string) => (await requests()).filter((request) => request.method === method)
const details = async () => (await sent('GET')).filter(({ path }) => path === '/api/users/detail/').length
const lastToast = () => {
  const shown = currentToasts().at(-1)
  return shown ? toastText(shown.message) : undefined
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const save = () => userEvent.click(button('Save'))

beforeEach(async () => {
  clearToasts()
  queryClient.clear()
  setLocale('en')
  await resetWire()
  // An access token that does not expire while the tests run.
  storeTokens({ access: `x.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.x`, refresh: 'x' })
  await reply('GET /api/users/detail/', { status: 200, body: anna })
  await reply('GET /api/countries/list/', {
    status: 200,
    body: [
      { code: 'DE', name: 'Germany' },
      { code: 'AT', name: 'Austria' },
    ],
  })
  await reply('GET /api/users/mails/', {
    status: 200,
    body: { ticket_replies: true, ticket_closing: true, news: false },
  })
  await reply(`GET ${email}`, { status: 200, body: { status: 200, data: addresses } })
})

describe('personal data', () => {
  it('P-02 shows every field of a profile', async () => {
    await open()
    const fields = [
      'name',
      'middle_name',
      'surname',
      'address',
      'apartment',
      'zip',
      'city',
      'state',
      'country',
      'company',
      'vat_id',
    ] as const
    for (const name of fields) {
      expect(document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value, name).toBe(anna[name])
    }
    await expect.poll(() => document.querySelector<HTMLSelectElement>('[name=language]')?.value).toBe('en')
    await expect.poll(() => document.querySelector('ul')?.textContent).toContain(anna.email)
  })

  it('lists the countries in the order of the language, at once when the field is used', async () => {
    await open()
    const country = page.getByRole('combobox', { name: 'Country' })
    const codes = () =>
      [...document.querySelectorAll<HTMLOptionElement>('[name=country] option')].map(({ value }) => value)
    // Red while the page listed all countries as it was first rendered.
    expect(codes()).toEqual(['', 'DE'])
    await inAct(() => document.querySelector<HTMLSelectElement>('[name=country]')?.focus())
    await expect.poll(codes).toEqual(['', 'AT', 'DE'])
    await expect.element(country).toHaveValue('DE')
  })

  it('rule 45: follows countries that others save before the list of countries has come', async () => {
    await reply('GET /api/countries/list/', { status: 200, body: [], hold_ms: 20_000 })
    await open()
    for (const [version, country] of [
      [2, 'AT'],
      [3, 'FR'],
      [4, 'DE'],
    ] as const) {
      await inAct(() => queryClient.setQueryData(['/api/users/detail/'], { ...anna, country, version }))
      await expect.element(page.getByRole('combobox', { name: 'Country' })).toHaveValue(country)
      await expect.element(page.getByRole('region', { name: 'Unsaved changes' })).not.toBeInTheDocument()
    }
  })

  it('P-01 sends only the changed fields, the country as a code', async () => {
    await reply('PATCH /api/users/update/', {
      status: 200,
      body: { ...anna, city: 'Wien', country: 'AT', version: 2 },
    })
    await open()
    await userEvent.fill(page.getByRole('textbox', { name: 'City' }), 'Wien')
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Country' }), 'AT')
    await save()
    await expect.poll(lastToast).toBe('Your changes have been saved')
    const [update] = await sent('PATCH')
    expect(JSON.parse(update?.body ?? '')).toEqual({ city: 'Wien', country: 'AT', version: 1 })
  })

  // Red while a save fetched the profile twice: once for the answer, and once more for the event of the save.
  it('P-03 a save is one PATCH and no GET; changes saved elsewhere are fetched', async () => {
    await reply('PATCH /api/users/update/', { status: 200, body: { ...anna, name: 'Anne', version: 2 } })
    await open()
    const changed = live.find(([type]) => type === 'profile.changed')![1]
    await userEvent.fill(page.getByRole('textbox', { name: 'First name' }), 'Anne')
    await save()
    await expect.poll(lastToast).toBe('Your changes have been saved')
    changed({ tab: tabId })
    await expect.element(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Anne')
    expect(await sent('PATCH')).toHaveLength(1)
    expect(await details()).toBe(1)
    changed({ tab: null })
    await expect.poll(details).toBe(2)
  })

  it('P-03 shows that the profile could not be fetched, and tries again', async () => {
    await reply('GET /api/users/detail/', { status: 400 }, { status: 200, body: anna })
    await openAt('/settings/account', routes)
    await expect.element(page.getByText('Failed to fetch user profile')).toBeVisible()
    await userEvent.click(button('Try again'))
    await expect.element(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Anna')
  })

  it('V-03 shows a refusal at its field, an error of the server as a toast, and keeps what was typed', async () => {
    const errors = [{ code: 'max_length', param: 'zip', message: '' }]
    await reply('PATCH /api/users/update/', { status: 400, body: { status: 400, errors } }, { status: 500 })
    await open()
    const zip = page.getByRole('textbox', { name: 'Postal code' })
    await userEvent.fill(zip, '12345')
    await save()
    await expect.element(page.getByText('This text is too long')).toBeVisible()
    await save()
    await expect.poll(lastToast).toBe('Profile update error')
    await expect.element(zip).toHaveValue('12345')
  })

  it('keeps the typed values when the language changes, and saves the language by its uuid', async () => {
    await reply('PATCH /api/users/update/', { status: 200, body: { ...anna, language: languageId('de') } })
    await open()
    await userEvent.fill(page.getByRole('textbox', { name: 'City' }), 'Kiel')
    await userEvent.selectOptions(page.getByRole('combobox', { name: 'Interface and email language' }), 'de')
    await expect.element(page.getByRole('textbox', { name: 'Ort' })).toHaveValue('Kiel')
    expect(currentLocale()).toBe('de')
    await expect
      .poll(async () => (await sent('PATCH')).map(({ body }) => JSON.parse(body) as unknown))
      .toEqual([{ language: languageId('de') }])
    await expect.element(page.getByRole('option', { name: 'Österreich' })).toBeInTheDocument()
  })
})

describe('e-mail addresses', () => {
  it('adds one and asks to check its mailbox', async () => {
    await reply(`POST ${email}`, { status: 200, body: { status: 200, data: addresses } })
    await open()
    const field = page.getByRole('textbox', { name: 'Email address' })
    await userEvent.fill(field, 'more@example.com')
    await userEvent.click(button('Add address'))
    await expect.poll(lastToast).toContain('more@example.com')
    await expect.element(field).toHaveValue('')
    expect((await sent('POST')).map(({ body }) => body)).toEqual(['{"email":"more@example.com"}'])
  })

  it('V-01 requires a valid address before it sends anything', async () => {
    await open()
    await userEvent.click(button('Add address'))
    await expect.element(page.getByText('Field is required')).toBeVisible()
    await userEvent.fill(page.getByRole('textbox', { name: 'Email address' }), 'nothing')
    await userEvent.click(button('Add address'))
    await expect.element(page.getByText('Enter a valid email address')).toBeVisible()
    expect(await sent('POST')).toEqual([])
  })

  it('sends a confirmation again, and shows when it was too soon', async () => {
    await reply(
      `PUT ${email}`,
      { status: 200, body: { status: 200 } },
      { status: 403, body: { status: 403 } },
    )
    await open()
    await userEvent.click(button('Send the link again'))
    await expect.poll(lastToast).toBe('The link has been sent to new@example.com')
    await userEvent.click(button('Send the link again'))
    await expect.poll(lastToast).toContain('less than three minutes ago')
  })

  it('makes a proven one primary', async () => {
    await reply(`PATCH ${email}`, { status: 200, body: { status: 200, data: addresses } })
    await open()
    await userEvent.click(button('Actions for anna@work.example'))
    await userEvent.click(page.getByRole('menuitem', { name: 'Make primary' }).first())
    await expect.poll(lastToast).toBe('anna@work.example is now your primary address')
    expect((await sent('PATCH'))[0]?.body).toBe('{"email":"anna@work.example","primary":true}')
  })

  it('removes one after asking, never the primary one', async () => {
    await reply(`DELETE ${email}`, { status: 200, body: { status: 200, data: addresses } })
    await open()
    expect(button(`Actions for ${anna.email}`).elements()).toEqual([])
    await userEvent.click(button('Actions for new@example.com'))
    await userEvent.click(page.getByRole('menuitem', { name: 'Remove' }).last())
    const dialog = page.getByRole('dialog', { name: 'Remove new@example.com?' })
    await expect.element(dialog).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
    await expect.poll(lastToast).toBe('new@example.com has been removed')
    expect((await sent('DELETE'))[0]?.body).toBe('{"email":"new@example.com"}')
  })

  it.each([
    ['POST', 'added', () => addAnother()],
    ['PATCH', 'primary', () => choose('Make primary')],
    ['DELETE', 'removed', () => choose('Remove')],
  ] as const)(
    'rule 38: %s asks who it is where the last proof is old, and is then %s',
    async (method, _, act) => {
      const auth = '/api/allauth/app/v1'
      const stale = {
        status: 401,
        body: {
          status: 401,
          data: { user: { id: '0' }, methods: [], flows: [{ id: 'reauthenticate' }] },
          meta: { is_authenticated: true },
        },
      }
      await reply(`${method} ${email}`, stale, { status: 200, body: { status: 200, data: addresses } })
      await reply(`POST ${auth}/auth/reauthenticate`, { status: 200, body: { status: 200 } })
      await open()
      await act()
      const ask = page.getByRole('dialog', { name: 'Confirm it’s you' })
      await userEvent.fill(ask.getByLabelText('Password', { exact: true }), 'secret words')
      await userEvent.click(ask.getByRole('button', { name: 'Confirm', exact: true }))
      await expect.poll(async () => (await sent(method)).filter(({ path }) => path === email).length).toBe(2)
      await expect.element(ask).not.toBeInTheDocument()
      expect(isSignedIn()).toBe(true)
    },
  )
})

async function addAnother() {
  await userEvent.fill(page.getByRole('textbox', { name: 'Email address' }), 'more@example.com')
  await userEvent.click(button('Add address'))
}

async function choose(act: 'Make primary' | 'Remove') {
  await userEvent.click(button('Actions for anna@work.example'))
  await userEvent.click(page.getByRole('menuitem', { name: act }).first())
  if (act === 'Remove') await userEvent.click(page.getByRole('dialog').getByRole('button', { name: act }))
}

async function confirm(typed: string) {
  await open()
  await userEvent.click(button('Delete account'))
  await userEvent.fill(page.getByRole('textbox', { name: `Type ${anna.email} to confirm` }), typed)
  await userEvent.click(button('Delete account permanently'))
}

describe('deleting the account', () => {
  it('P-04 refuses another e-mail than that of the account, at the field', async () => {
    const errors = [{ code: 'email_does_not_match', param: 'email', message: '' }]
    await reply('DELETE /api/users/deactivate/', { status: 400, body: { status: 400, errors } })
    await confirm('other@example.com')
    await expect.element(page.getByText('This isn’t your account’s email address')).toBeVisible()
    expect(isSignedIn()).toBe(true)
  })

  it('rule 20: asks for the password if the last proof is too old, then deletes', async () => {
    const auth = '/api/allauth/app/v1'
    const errors = [{ code: 'reauthentication_required', message: '' }]
    await reply(
      'DELETE /api/users/deactivate/',
      { status: 403, body: { status: 403, errors } },
      { status: 204 },
    )
    await reply(`GET ${auth}/account/authenticators`, { status: 200, body: { status: 200, data: [] } })
    await reply(`POST ${auth}/auth/reauthenticate`, { status: 200, body: { status: 200 } })
    await confirm(anna.email)
    const password = document.querySelector.bind(document, 'input[name=password]')
    await expect.poll(password).toBeTruthy()
    expect(isSignedIn()).toBe(true)
    await userEvent.fill(password() as HTMLInputElement, 'secret words')
    await userEvent.keyboard('{Enter}')
    await expect.poll(isSignedIn).toBe(false)
    expect((await sent('DELETE')).map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => JSON.stringify({ email: anna.email })),
    )
  })

  it.each([204, 401])('P-01 signs out when the account is deleted (%i)', async (status) => {
    await reply('DELETE /api/users/deactivate/', { status })
    await confirm(anna.email)
    await expect.poll(isSignedIn).toBe(false)
    expect(lastToast()).toBe('Your account has been deleted')
  })

  it.each(['12.34', '12,34', '€12.34', ' 12,34 €', 'EUR 12.34'])(
    'P-04 rule 61: money that is left is given up by typing the sum: %s',
    async (typed) => {
      const errors = [{ code: 'balance_left', message: 'x' }]
      const balance = { amount: '1234', currency: 'EUR' }
      await reply(
        'DELETE /api/users/deactivate/',
        { status: 409, body: { status: 409, errors, balance } },
        { status: 204 },
      )
      await confirm(anna.email)
      await expect.element(page.getByText(/You still have €12\.34 on your balance/)).toBeVisible()
      // Giving up is never the choice that is made already.
      await expect.element(button('Delete account and pay out €12.34')).toBeVisible()
      await userEvent.click(page.getByText('Give up', { exact: true }))
      const sum = page.getByLabelText('To give it up, enter the amount: €12.34')
      const give = page.getByRole('button', { name: 'Delete account and give up €12.34' })
      // One press too many deletes nothing, nor does another sum.
      for (const wrong of ['', '12.33', '1234', '12']) {
        await userEvent.fill(sum, wrong)
        await userEvent.click(give)
        await expect.element(sum).toHaveAttribute('aria-invalid', 'true')
      }
      expect(await sent('DELETE')).toHaveLength(1)
      await userEvent.fill(sum, typed)
      await userEvent.click(give)
      await expect.poll(lastToast).toBe('Your account has been deleted')
      const bodies = (await sent('DELETE')).map(({ body }) => JSON.parse(body) as object)
      expect(bodies.map((body) => 'forfeit' in body)).toEqual([false, true])
    },
  )

  it('P-04 rule 61: names the balance at once, and sends nothing before its sum is typed', async () => {
    registerSlots(finance)
    await reply('GET /api/finances/', { status: 200, body: { balance: { amount: '1234', currency: 'EUR' } } })
    await open()
    await userEvent.click(button('Delete account'))
    await expect.element(page.getByText(/You still have €12\.34 on your balance/)).toBeVisible()
    await userEvent.fill(page.getByRole('textbox', { name: `Type ${anna.email} to confirm` }), anna.email)
    await userEvent.click(button('Delete account and pay out €12.34'))
    await userEvent.click(page.getByText('Give up', { exact: true }))
    await userEvent.click(button('Delete account and give up €12.34'))
    expect(await sent('DELETE')).toEqual([])
  })

  it('P-04 rule 61: pays the money out, and asks only for the gift to be given up', async () => {
    registerSlots(finance)
    const euros = (amount: string) => ({ amount, currency: 'EUR' })
    await reply('GET /api/finances/', { status: 200, body: { balance: euros('1234'), gift: euros('234') } })
    await reply('DELETE /api/users/deactivate/', { status: 204 })
    await open()
    await userEvent.click(button('Delete account'))
    await userEvent.fill(page.getByRole('textbox', { name: `Type ${anna.email} to confirm` }), anna.email)
    await userEvent.fill(page.getByLabelText('IBAN'), 'DE89 3704 0044 0532 0130 00')
    await userEvent.fill(page.getByLabelText('Account holder'), 'Anna')
    await userEvent.fill(page.getByLabelText('To give it up, enter the amount: €2.34'), '2.34')
    await userEvent.click(button('Delete account and pay out €10.00'))
    await expect.poll(lastToast).toBe('Your account has been deleted')
    expect((await sent('DELETE')).map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { forfeit: euros('234'), payout: { amount: euros('1000'), holder: 'Anna' } },
    ])
  })

  it('P-03 shows when it could not be deleted', async () => {
    await reply('DELETE /api/users/deactivate/', { status: 500 })
    await confirm(anna.email)
    await expect.poll(lastToast).toBe('Profile delete error')
    expect(isSignedIn()).toBe(true)
  })
})

describe('mails', () => {
  const switchOf = (name: string) => page.getByRole('switch', { name })

  it('are switched off by kind, at once, and only kinds that the server lists', async () => {
    await reply('PATCH /api/users/mails/', {
      status: 200,
      body: { ticket_replies: false, ticket_closing: true, news: false },
    })
    await open()
    await expect.element(switchOf('Replies from support')).toBeChecked()
    await expect.element(switchOf('New tickets')).not.toBeInTheDocument()
    await expect.element(switchOf('News')).not.toBeChecked()
    await userEvent.click(switchOf('Replies from support'))
    await expect.element(switchOf('Replies from support')).not.toBeChecked()
    await expect.element(switchOf('When a ticket is closed')).toBeChecked()
    const [change] = await sent('PATCH')
    expect(JSON.parse(change?.body ?? '')).toEqual({ ticket_replies: false })
  })

  it('keep their previous setting and show an error when a change cannot be saved', async () => {
    await reply('PATCH /api/users/mails/', { status: 503 })
    await open()
    await userEvent.click(switchOf('When a ticket is closed'))
    await expect.poll(lastToast).toBe('Failed to change notification settings')
    await expect.element(switchOf('When a ticket is closed')).toBeChecked()
  })
})
