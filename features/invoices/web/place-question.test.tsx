import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { languageId } from '#features/profile/rules.ts'
import { routes as profile } from '#features/profile/web/feature.tsx'
import { registerSlots } from '#foundation/web/slots.tsx'
import { openAt, startAnew } from '#tests/web/routed-pages.tsx'
import { reply, requests } from '#tests/web/wire.ts'
import { slots } from './feature.tsx'

const names = [
  'name',
  'middle_name',
  'surname',
  'address',
  'apartment',
  'zip',
  'city',
  'state',
  'company',
  'vat_id',
]
const ada = {
  id: '0',
  email: 'ada@example.com',
  display: 'Ada',
  is_staff: false,
  country: 'CH',
  language: languageId('en'),
  time_zone: 'Europe/Berlin',
  created_at: '2026-01-02T03:04:05.000Z',
  version: 1,
  ...Object.fromEntries(names.map((name) => [name, ''])),
}
const doubted = {
  state: 'asked',
  place: 'CH',
  payments: ['DE'],
  network: 'DE',
  charged: 'DE',
  vat_rate: '19',
  asked_since: null,
  answer: '',
  answered_at: null,
}
const PLACE = 'GET /api/invoices/vat-place/'
const open = async (status: object) => {
  await reply(PLACE, { status: 200, body: { ...doubted, ...status } })
  await openAt('/settings/account', profile)
}

beforeEach(async () => {
  await startAnew()
  registerSlots(slots)
  await reply('GET /api/users/detail/', { status: 200, body: ada })
  await reply('GET /api/countries/list/', { status: 200, body: [{ code: 'CH', name: 'Switzerland' }] })
  await reply('GET /api/users/mails/', {
    status: 200,
    body: { ticket_replies: true, ticket_closing: true, news: false },
  })
  await reply('GET /api/allauth/app/v1/account/email', { status: 200, body: { status: 200, data: [] } })
})

it('asks where somebody lives who paid from another country, and keeps the answer', async () => {
  const answered = { state: 'answered', answer: 'Zug', answered_at: '2026-11-20T10:00:00.000Z' }
  await reply('PUT /api/invoices/vat-place/answer/', { status: 200, body: { ...doubted, ...answered } })
  await open({})
  const asked =
    'Your address is in Switzerland, but you paid with a card or bank account from Germany. Where do you live?'
  await expect.element(page.getByText(asked)).toBeVisible()
  await expect.element(page.getByText(/orders include the VAT of Germany \(19\u00A0?%\)/)).toBeVisible()
  await expect.element(page.getByText(/we’ll reissue those invoices and refund the difference/)).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Send answer' }))
  await expect.element(page.getByText('Field is required')).toBeVisible()
  await userEvent.fill(page.getByLabelText('Your answer'), 'Zug')
  await userEvent.click(page.getByRole('button', { name: 'Send answer' }))
  await expect.element(page.getByText(/^You answered on 20 Nov/)).toBeVisible()
  const sent = (await requests()).filter(({ method }) => method === 'PUT')
  expect(sent.map(({ body }) => JSON.parse(body))).toEqual([{ answer: 'Zug' }])
})

it.each([
  ['a network elsewhere', { payments: [] }, /but you signed in from Germany/],
  ['nothing else', { payments: [], network: null }, /nothing else tells us so yet/],
  [
    'a territory',
    { place: 'DE-HELGOLAND', network: null },
    /Your address is in Germany \(Helgoland\), where VAT rules differ/,
  ],
  ['a refusal', { state: 'refused' }, /We could not confirm that you live in Switzerland/],
])('says what speaks against the address: %s', async (_, status, text) => {
  await open(status)
  await expect.element(page.getByText(text)).toBeVisible()
})

it('asks nothing where the facts agree', async () => {
  await open({ state: 'agreed' })
  await expect
    .poll(async () => (await requests()).some(({ path }) => path === '/api/invoices/vat-place/'))
    .toBe(true)
  await expect.element(page.getByText('Where do you live?')).not.toBeInTheDocument()
})
