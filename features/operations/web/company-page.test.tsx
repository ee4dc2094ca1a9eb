import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const own = '/api/staff/company/'
const texts = [
  'street',
  'tax_number',
  'register',
  'email',
  'phone',
  'support_email',
  'imprint_url',
  'privacy_url',
]
const company = {
  ...Object.fromEntries([...texts, 'terms_url'].map((name) => [name, ''])),
  version: 1,
  name: 'Old GmbH',
  zip: '10115',
  city: 'Berlin',
  country: 'DE',
  vat_id: 'DE123456788',
  operator_name: 'Hostdesk',
}
const example = null
const bank = { version: 1, holder: 'Old GmbH', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' }
const words = { version: 1, closing_en: '', closing_de: '', closing_ru: '' }
const mails = { en: 'Hello Anna,\n\n{words}\n\n-- ', de: '{words}', ru: '{words}' }
const changed = { status: 409, errors: [{ code: 'changed', message: '' }] }

beforeEach(async () => {
  await startAnew()
  const me = { id: 'b8f0c2d4-5e6a-4b7c-8d9e-0f1a2b3c4d5e', roles: ['owner'], permissions: ['company.read'] }
  await reply('GET /api/staff/me/', { status: 200, body: me })
  const body = { company, bank, logo: { version: 1, image: null }, words, mails, example, history: [] }
  await reply(`GET ${own}`, { status: 200, body })
})

const open = () => openAt('/staff-company', routes)
const bodyOf = async (path: string) => {
  const request = (await sent('PATCH', path)).at(-1)
  return JSON.parse(request?.body ?? '{}') as unknown
}
const field = (label: string) => page.getByLabelText(label, { exact: true })
const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }))

it('rule 45: the company, the bank account and the words send what was changed alone, and leave what a colleague saved', async () => {
  await open()
  const theirs = { ...company, city: 'Potsdam', version: 2 }
  const street = 'Ring 1'
  await reply(
    `PATCH ${own}`,
    { status: 409, body: { ...changed, present: theirs } },
    { status: 200, body: { ...theirs, street, version: 3 } },
  )
  await press('Edit company data')
  await userEvent.fill(field('Street and number'), street)
  await expect.element(page.getByText('DE 10115 Berlin')).toBeInTheDocument()
  await press('Save')
  await expect.poll(lastToast).toBe('Saved. It counts from now on.')
  expect(await bodyOf(own)).toEqual({ street, version: 2 })

  const account = { ...bank, holder: 'New GmbH', version: 2 }
  await reply(
    `PATCH ${own}bank/`,
    { status: 409, body: { ...changed, present: account } },
    { status: 200, body: { ...account, bic: '', version: 3 } },
  )
  await press('Edit bank account')
  await userEvent.clear(field('BIC'))
  await press('Save')
  await expect.poll(() => bodyOf(`${own}bank/`)).toEqual({ bic: '', version: 2 })

  const said = { ...words, closing_de: 'Ihr Team', version: 2 }
  await reply(
    `PATCH ${own}words/`,
    { status: 409, body: { ...changed, present: said } },
    { status: 200, body: { ...said, closing_en: 'Yours, {operator}', version: 3 } },
  )
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await press('Edit words')
  await userEvent.fill(field('In English'), 'Yours, {operator}')
  await expect.element(page.getByText(/Yours, Hostdesk/)).toBeInTheDocument()
  await press('Save')
  const sentWords = { closing_en: 'Yours, {operator}', version: 2 }
  await expect.poll(() => bodyOf(`${own}words/`)).toEqual(sentWords)
})

it('rule 45: the texts of an email are found by their subject, shown in a preview, and sent as they were changed alone', async () => {
  await open()
  const [kind, path] = ['licence_ends_soon', `${own}mails/licence_ends_soon/de/`]
  const subject = { en: 'Your licence ends', de: 'Ihre Lizenz endet', ru: 'Лицензия' }
  const other = { kind: 'debt', subject: { en: 'Please top up', de: 'Bitte', ru: 'Долг' }, changed: ['de'] }
  await reply(`GET ${own}mails/`, { status: 200, body: { items: [{ kind, subject, changed: [] }, other] } })
  const texts = [
    {
      name: 'x_subject',
      part: 'subject',
      ours: 'Ihre Lizenz endet',
      placeholders: ['operator'],
      required: [],
    },
    { name: 'x_text', part: 'body', ours: 'Am {date}.', placeholders: ['date'], required: ['date'] },
  ]
  const saved = { version: 1, words: { x_subject: '', x_text: '' } }
  const examples = [{ subject: 'Ihre Lizenz endet', text: 'Hallo Anna,\n\nAm 8. Dezember.' }]
  await reply(`GET ${path}`, { status: 200, body: { words: saved, texts, examples, history: [] } })
  await press('Texts of each email')
  await expect.element(page.getByText('Changed: DE')).toBeInTheDocument()
  await userEvent.fill(page.getByRole('searchbox'), 'licence ends')
  await expect.element(page.getByText('Please top up')).not.toBeInTheDocument()
  await press('In German')
  await userEvent.fill(field('Text 1'), 'Schon am {date}.')
  await reply(`POST ${path}preview/`, {
    status: 200,
    body: { examples: [{ subject: 'Ihre Lizenz endet', text: 'Schon am 8. Dezember.' }] },
  })
  await press('Preview')
  await userEvent.click(page.getByText('Ihre Lizenz endet').last())
  await expect.element(page.getByText('Schon am 8. Dezember.')).toBeVisible()
  const theirs = { version: 2, words: { x_subject: 'Bald Schluss', x_text: '' } }
  const both = { version: 3, words: { x_subject: 'Bald Schluss', x_text: 'Schon am {date}.' } }
  await reply(
    `PATCH ${path}`,
    { status: 409, body: { ...changed, present: theirs } },
    { status: 200, body: both },
  )
  await press('Save')
  await expect.poll(() => bodyOf(path)).toEqual({ words: { x_text: 'Schon am {date}.' }, version: 2 })
})

it('shows the seller of documents as an example until there is one', async () => {
  const nothing = { ...company, name: '', zip: '', city: '', vat_id: '' }
  const unnamed = Object.fromEntries(
    ['vat_id', 'tax_number', 'register', 'email', 'phone'].map((name) => [name, '']),
  )
  const seller = { name: 'Demo GmbH', street: 'Musterstr. 1', zip: '10115', city: 'Berlin', ...unnamed }
  const logo = { version: 1, image: null }
  const body = { company: nothing, bank, logo, words, mails, example: seller, history: [] }
  await reply(`GET ${own}`, { status: 200, body })
  await open()
  await expect.element(page.getByText(/Until you enter yours, invoices carry this example/)).toBeVisible()
  await expect.element(page.getByText('Demo GmbH')).toBeVisible()
})
