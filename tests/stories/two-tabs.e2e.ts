import type { Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import type { Host } from '#features/hosts/contract.ts'
import type { Billing, Invoice, InvoiceSummary } from '#features/invoices/contract.ts'
import type { Agreement } from '#features/payers/contract.ts'
import type { Profile } from '#features/profile/contract.ts'
import type { Grant } from '#features/sharing/contract.ts'
import type { CannedReply } from '#features/support/desk/contract.ts'
import { must } from '#foundation/must.ts'
import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { newCustomer } from './new-customer.ts'
import { ServerCalls } from './server-calls.ts'
import { signIn } from './sign-in.ts'
import { callApi } from './call-api.ts'

// Two tabs × every form that edits × every field of it: no value changes that this tab did not change. All such forms:
// 'features/profile/web/profile-form.tsx' 'features/hosts/web/rename-host.tsx' 'features/hosts/web/change-address.tsx'
// 'features/invoices/web/billing-dialog.tsx' 'features/support/desk/web/reply-form.tsx' 'features/sharing/web/change-grant.tsx'
// 'features/payers/web/change-limit.tsx' 'features/sales/web/buyer-address.tsx' (in order-host.test.tsx beside it)
// 'features/security/web/change-passkey.tsx' (one field; in passkeys.test.tsx beside it) 'features/announcements/web/edit-announcement.tsx'
// (in announcements-page.test.tsx beside it) 'features/catalogue/web/edit-edition.tsx' (in edit-edition.test.tsx beside it)
// 'features/customers/web/customer-notes.tsx' (one field; in customer-page.test.tsx beside it) 'features/catalogue/web/plan-order.ts'
// (acts of a menu; in features/catalogue/catalogue.e2e.ts) 'features/sales/web/plan-at-end.tsx' (in plan-at-end.test.tsx beside it)
// 'features/operations/web/edit-company.tsx' 'features/operations/web/edit-bank.tsx'
// 'features/operations/web/edit-words.tsx' (in company-page.test.tsx beside them) 'features/support/answers/web/edit-calendar.tsx'
// 'features/support/answers/web/edit-targets.tsx' (in answer-times-page.test.tsx beside them)
// 'features/help/web/article-form.tsx' 'features/help/web/section-dialogs.tsx' (in help-pages.test.tsx beside them)
// 'features/support/desk/web/view-form.tsx' (in views.test.tsx beside it)
const en = { locale: 'en' } as const
const edited = {
  name: ['Anna', 'Mara'],
  middle_name: ['Maria', 'Lena'],
  surname: ['Lind', 'Berg'],
  address: ['Am Markt 1', 'Ringstr. 2'],
  apartment: ['3', '4b'],
  zip: ['20095', '1010'],
  city: ['Hamburg', 'Wien'],
  state: ['HH', 'W'],
  country: ['DE', 'AT'],
  company: ['Lind GmbH', 'Berg KG'],
  vat_id: ['DE123456789', 'ATU12345678'],
} as const
type Field = keyof typeof edited
const fields = Object.keys(edited) as Field[]

/** Makes the calls of another tab of the same person; there is no real second tab. */
class OtherTab {
  readonly #page: Page
  readonly #token: string
  constructor(page: Page, token: string) {
    this.#page = page
    this.#token = token
  }

  async change(path: string, data: object, method: 'PATCH' | 'PUT' = 'PATCH'): Promise<void> {
    await callApi(this.#page, method, path, { token: this.#token, data, status: 200 })
  }

  read<T>(path: string): Promise<T> {
    return callApi<T>(this.#page, 'GET', path, { token: this.#token })
  }

  add<T>(path: string, data: object): Promise<T> {
    return callApi<T>(this.#page, 'POST', path, { token: this.#token, data, status: 201 })
  }
}

/** Blocks the event stream of the tab, so that the tab does not learn what others save. */
const makeDeaf = (page: Page) => page.route('**/api/events/**', (route) => route.abort())
const save = (page: Page) => page.getByRole('button', { name: m.ui_save({}, en), exact: true }).click()

test('rule 45: two tabs × every field of the profile: no value changes that this tab did not change', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await makeDeaf(page)
  const { token } = await newCustomer(page, 'en', 'two-tabs')
  const other = new OtherTab(page, token)
  await page.goto('/account/settings/account')
  const form = page.getByRole('form', { name: m.profile_title({}, en) })
  const control = (name: Field) => form.locator(`[name=${name}]`)
  await control('country').focus()
  await expect(control('country').locator('option[value=AT]')).toBeAttached()

  for (const [index, mine] of fields.entries()) {
    const theirs = Object.fromEntries(
      fields.filter((name) => name !== mine).map((name) => [name, edited[name][index % 2]]),
    )
    await other.change('/api/users/update/', theirs)
    // This tab still shows the values of the round before, and now gets another text in one field.
    const typed = edited[mine][index % 2] ?? ''
    if (mine === 'country') await control(mine).selectOption(typed)
    else await control(mine).fill(typed)
    await save(page)
    await expect(page.getByRole('region', { name: m.ui_unsaved({}, en) }), mine).toBeHidden()
    const present = await other.read<Profile>('/api/users/detail/')
    expect(present, `only ${mine} is of this tab`).toMatchObject({ ...theirs, [mine]: typed })
    for (const name of fields) await expect(control(name), name).toHaveValue(present[name])
  }
})

test('rule 45: a country saved in one tab is not sent back by a postal code saved in the other', async ({
  page,
  context,
}) => {
  const { token } = await newCustomer(page, 'en', 'country')
  const other = new OtherTab(page, token)
  await other.change('/api/users/update/', { country: 'DE', zip: '20095' })
  const second = await context.newPage()
  await page.goto('/account/settings/account')
  await second.goto('/account/settings/account')
  await second.locator('[name=zip]').fill('1010')
  await page.locator('[name=country]').focus()
  await page.locator('[name=country]').selectOption('AT')
  await save(page)
  // The second tab takes over the change in a field that nobody touched there, and keeps the text that was typed.
  await expect(second.locator('[name=country]')).toHaveValue('AT')
  await expect(second.locator('[name=zip]')).toHaveValue('1010')
  await save(second)
  await expect(second.getByRole('region', { name: m.ui_unsaved({}, en) })).toBeHidden()
  expect(await other.read<Profile>('/api/users/detail/')).toMatchObject({ country: 'AT', zip: '1010' })

  // An invoice can never change: its VAT must be that of the saved country, not of the country that the second tab had shown.
  const calls = new ServerCalls(page, token)
  await calls.paysIn('5000')
  await calls.orders('web-1', 'starter-month')
  const { items } = await other.read<{ items: InvoiceSummary[] }>('/api/invoices/')
  const invoice = await other.read<Invoice>(`/api/invoices/${items[0]?.id}/`)
  expect(invoice).toMatchObject({ vat_rate: '20', to: { country: 'AT', zip: '1010' } })
})

test('rule 45: name and address of a server are changed one by one, whatever another tab saves', async ({
  page,
}) => {
  await makeDeaf(page)
  const { token } = await newCustomer(page, 'en', 'host-tabs')
  const other = new OtherTab(page, token)
  const host = await other.add<Host>('/api/hosts/', {})
  const path = `/api/hosts/${host.id}/`
  await page.goto(`/account/servers/host/${host.id}?act=ipv4`)
  const field = page.getByRole('dialog').locator('[name=ipv4]')
  await expect(field).toHaveValue(host.ipv4 ?? '')
  await other.change(path, { name: 'renamed' })
  await field.fill('192.0.2.44')
  await save(page)
  await expect(field).toBeHidden()
  expect(await other.read<Host>(path)).toMatchObject({ name: 'renamed', ipv4: '192.0.2.44' })

  // Both tabs changed the same field: nothing is saved before the person chooses a value.
  await page.goto(`/account/servers/host/${host.id}?act=ipv4`)
  await expect(field).toHaveValue('192.0.2.44')
  await other.change(path, { ipv4: '192.0.2.55' })
  await field.fill('192.0.2.66')
  await save(page)
  const both = page.getByRole('listitem', { name: m.hosts_ipv4({}, en) })
  await expect(both).toContainText('192.0.2.66')
  await expect(both).toContainText('192.0.2.55')
  expect((await other.read<Host>(path)).ipv4).toBe('192.0.2.55')
  await both.getByRole('button', { name: m.ui_changed_take({}, en) }).click()
  await save(page)
  expect((await other.read<Host>(path)).ipv4).toBe('192.0.2.55')
})

test('rule 45: role and limit of a helper are changed one by one, whatever another tab saves', async ({
  page,
}) => {
  await makeDeaf(page)
  const { token } = await newCustomer(page, 'en', 'grant-tabs')
  const other = new OtherTab(page, token)
  const wanted = { email: 'helper-tabs@example.org', role: 'billing', all_hosts: true, month_limit: '1000' }
  const { id } = await other.add<Grant>('/api/sharing/grants/', wanted)
  const present = async () =>
    (await other.read<{ items: Grant[] }>('/api/sharing/grants/')).items.find((grant) => grant.id === id)
  await page.goto('/account/settings/people')
  const open = page.getByRole('button', { name: m.sharing_change({}, en), exact: true })
  const limit = page.getByRole('dialog').locator('[name=month_limit]')
  await open.click()
  await expect(limit).toHaveValue('10')
  await other.change(`/api/sharing/grants/${id}/`, { role: 'full', version: 1 })
  await limit.fill('25')
  await save(page)
  await expect(limit).toBeHidden()
  expect(await present()).toMatchObject({ role: 'full', month_limit: { amount: '2500' } })

  await open.click()
  await expect(limit).toHaveValue('25')
  await other.change(`/api/sharing/grants/${id}/`, { month_limit: '3000', version: 3 })
  await page.getByRole('dialog').locator('[name=role]').selectOption('billing')
  await save(page)
  await expect(limit).toBeHidden()
  expect(await present()).toMatchObject({ role: 'billing', month_limit: { amount: '3000' } })
})

test('rule 45: saving the limit of an agreement does not overwrite another tab’s limit', async ({ page }) => {
  await makeDeaf(page)
  const { token } = await newCustomer(page, 'en', 'limit-tabs')
  const other = new OtherTab(page, token)
  const path = '/api/payment-agreements/'
  const wanted = { email: 'owner-tabs@example.org', side: 'payer', all_hosts: true, pays: 'all' }
  const { id } = await other.add<Agreement>(path, { ...wanted, month_limit: '1000' })
  const present = async () => (await other.read<{ items: Agreement[] }>(`${path}?side=payer`)).items[0]
  await page.goto('/account/finances/paid-for')
  await page.getByRole('button', { name: m.payers_change_limit({}, en), exact: true }).click()
  const limit = page.getByRole('dialog').locator('[name=month_limit]')
  await expect(limit).toHaveValue('10')
  await other.change(`${path}${id}/`, { month_limit: '2000', version: 1 })
  await limit.fill('25')
  await save(page)
  await expect(page.getByRole('dialog')).toContainText('20')
  expect(await present()).toMatchObject({ month_limit: { amount: '2000' } })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: m.ui_changed_take({}, en) })
    .click()
  await save(page)
  await expect(limit).toBeHidden()
  expect(await present()).toMatchObject({ month_limit: { amount: '2000' } })
})

test('rule 45: two tabs × every field of the billing details', async ({ page }) => {
  test.setTimeout(240_000)
  await makeDeaf(page)
  const { token } = await newCustomer(page, 'en', 'billing-tabs')
  const other = new OtherTab(page, token)
  const path = '/api/invoices/billing/'
  await page.goto('/account/finances?view=invoices')
  for (const [index, mine] of references.entries()) {
    await page.getByRole('button', { name: m.invoices_billing({}, en), exact: true }).click()
    const form = page.getByRole('form', { name: m.invoices_billing({}, en) })
    await expect(form).toBeVisible()
    const text = (name: string) => `${name}-${index}`
    const theirs = Object.fromEntries(
      references.filter((name) => name !== mine).map((name) => [name, text(name)]),
    )
    const before = await other.read<Billing>(path)
    await other.change(path, { ...theirs, send_pdf: !before.send_pdf }, 'PUT')
    await form.locator(`[name=${mine}]`).fill(text(mine))
    await form.getByRole('button', { name: m.invoices_billing_save({}, en) }).click()
    await expect(form).toBeHidden()
    const present = { ...theirs, send_pdf: !before.send_pdf, [mine]: text(mine) }
    expect(await other.read<Billing>(path), `only ${mine} is of this tab`).toMatchObject(present)
  }
  const before = await other.read<Billing>(path)
  await page.getByRole('button', { name: m.invoices_billing({}, en), exact: true }).click()
  const form = page.getByRole('form', { name: m.invoices_billing({}, en) })
  await expect(form).toBeVisible()
  await other.change(path, { order_reference: 'theirs' }, 'PUT')
  await form.locator('[name=send_pdf]').setChecked(!before.send_pdf)
  await form.getByRole('button', { name: m.invoices_billing_save({}, en) }).click()
  await expect(form).toBeHidden()
  const present = { ...before, order_reference: 'theirs', send_pdf: !before.send_pdf }
  expect(await other.read<Billing>(path)).toMatchObject(present)
})
const references = ['buyer_reference', 'order_reference']

test('rule 45: two tabs × every field of a canned reply', async ({ page, browser }) => {
  test.setTimeout(240_000)
  const customer = await newCustomer(page, 'en', 'reply-tabs')
  const ticket = (await new ServerCalls(page, customer.token).asks('Files')).id
  const context = await browser.newContext({ locale: 'en-GB' })
  const staff = await context.newPage()
  await makeDeaf(staff)
  const other = new OtherTab(staff, await signIn(staff, olivia))
  const all = '/api/staff/replies/'
  const title = `Two tabs ${Date.now().toString(36)}`
  const { id } = await other.add<CannedReply>(all, { title, text: 'Hello', language: 'en' })
  const read = async () =>
    must((await other.read<{ items: CannedReply[] }>(all)).items.find((reply) => reply.id === id))
  const values = {
    title: [`${title} a`, `${title} b`],
    language: ['de', 'ru'],
    text: ['Good morning', 'Good evening'],
  } as const
  const names = ['title', 'language', 'text'] as const
  for (const [index, mine] of names.entries()) {
    await staff.goto(`/account/staff-tickets/${ticket}`)
    await staff.getByRole('textbox', { name: m.messages_write({}, en), exact: true }).focus()
    await staff.getByRole('button', { name: m.desk_replies({}, en), exact: true }).click()
    await staff.getByRole('button', { name: m.desk_replies_manage({}, en) }).click()
    const before = await read()
    await staff.getByRole('button', { name: m.desk_reply_edit({ title: before.title }, en) }).click()
    const form = staff.getByRole('form', { name: m.desk_replies({}, en) })
    await expect(form.locator('[name=title]')).toHaveValue(before.title)
    const theirs = Object.fromEntries(
      names.filter((name) => name !== mine).map((name) => [name, values[name][index % 2]]),
    )
    await other.change(`${all}${id}/`, { ...theirs, version: before.version })
    const typed = must(values[mine][index % 2])
    if (mine === 'language') await form.locator('[name=language]').selectOption(typed)
    else await form.locator(`[name=${mine}]`).fill(typed)
    await save(staff)
    await expect(form).toBeHidden()
    expect(await read(), `only ${mine} is of this tab`).toMatchObject({ ...theirs, [mine]: typed })
  }
  await context.close()
})
