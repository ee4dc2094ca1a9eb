import { expect, it, beforeEach } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { inAll, openLicence, startLicences } from '#tests/web/licence-pages.tsx'
import { euros, lastToast } from '#tests/web/routed-pages.tsx'
import { bodies, inDays, paidHost, visible } from '#tests/web/server-pages.tsx'
import { reply } from '#tests/web/wire.ts'

beforeEach(startLicences)

const path = `/api/hosts/${paidHost.id}/licence/`
const dialog = page.getByRole('dialog')
const save = dialog.getByRole('button', { name: 'Save choice' })
const preview = (plan: string, renewal: string) => ({
  status: 200,
  body: {
    plan: { slug: plan, name: inAll(plan) },
    as_of: inDays(0),
    valid_until: inDays(0.01),
    periods: [],
    credit: euros('0'),
    charge: euros('0'),
    credit_apart: euros('0'),
    pay_now: euros('0'),
    renewal: euros(renewal),
    balance_after: euros('0'),
  },
})
const chosen = (slug: string, name: string) => ({
  ...paidHost,
  licence: { ...paidHost.licence, renewal_plan: { slug, name: inAll(name) } },
})

it('L-19 another plan at the end is chosen with a sentence from when, and shown on the page', async () => {
  await reply(`POST ${path}preview/`, preview('standard', '1190'), preview('business', '11800'))
  await reply(`PUT ${path}renewal/`, { status: 200, body: chosen('business', 'Business') })
  await openLicence(paidHost)
  await userEvent.click(page.getByRole('button', { name: 'Change plan' }))
  // No plan is an upgrade now, so the dialog offers the plans for the end of the paid time first.
  await expect.element(dialog.getByRole('radio', { name: 'At the end of the paid term' })).toBeChecked()
  const until = formatDate(paidHost.licence.paid_until ?? '')
  await visible(`Standard remains the plan after ${until}.`)
  await userEvent.click(dialog.getByRole('radio', { name: /Business/ }))
  await visible(`Business from ${until}; until then Standard.`)
  await visible(/€118\.00/)
  await userEvent.click(save)
  await expect.poll(lastToast).toBe('Your choice for web-1 has been saved')
  expect(await bodies('PUT', `${path}renewal/`)).toEqual([
    { plan: 'business', from: 'standard', expected_total: euros('11800') },
  ])
  await expect.element(page.getByText(`Business from ${until}`)).toBeVisible()
})

it('rule 45: a plan that was chosen in another tab is shown before this tab replaces it', async () => {
  const theirs = { ...chosen('standard-year', 'Yearly'), auto_renew: false }
  await reply(`POST ${path}preview/`, preview('standard', '1190'), preview('business', '11800'))
  await reply(
    `PUT ${path}renewal/`,
    { status: 409, body: { status: 409, errors: [{ code: 'changed', message: '' }], present: theirs } },
    { status: 200, body: chosen('business', 'Business') },
  )
  await openLicence(paidHost)
  await userEvent.click(page.getByRole('button', { name: 'Change plan' }))
  await userEvent.click(dialog.getByRole('radio', { name: /Business/ }))
  await userEvent.click(save)
  await expect.element(dialog.getByText(/chosen elsewhere in the meantime: Yearly/)).toBeVisible()
  await userEvent.click(save)
  await expect.poll(lastToast).toBe('Your choice for web-1 has been saved')
  expect(await bodies('PUT', `${path}renewal/`)).toEqual([
    { plan: 'business', from: 'standard', expected_total: euros('11800') },
    { plan: 'business', from: 'standard-year', expected_total: euros('11800') },
  ])
})

it('names the plan of the last paid period as the one until then, whatever comes before it', async () => {
  const next = {
    plan: { slug: 'business', name: inAll('Business') },
    edition: 'business',
    starts_at: inDays(9),
  }
  await reply(`POST ${path}preview/`, preview('standard', '1190'), preview('business', '11800'))
  await openLicence({ ...paidHost, licence: { ...paidHost.licence, next } })
  const until = formatDate(paidHost.licence.paid_until ?? '')
  await userEvent.click(page.getByRole('button', { name: 'Change plan' }))
  await visible(`Standard remains the plan after ${until}.`)
  await userEvent.click(dialog.getByRole('radio', { name: /Business/ }))
  await visible(`Business from ${until}; until then Standard.`)
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(page.getByRole('button', { name: 'Renew', exact: true }))
  await userEvent.click(dialog.getByRole('radio', { name: /Business/ }))
  await visible(`Business starts on ${until}; Standard stays active until then.`)
})
