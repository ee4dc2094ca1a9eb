import type { Page } from '@playwright/test'
import type { Host } from '#features/hosts/contract.ts'
import type { Profile } from '#features/profile/contract.ts'
import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { newCustomer } from './new-customer.ts'

// What two tabs, and a link of a mail, meet in forms. The texts of it stand in other stories.
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

/** Another tab of the same person, as far as the server sees: its calls. */
class OtherTab {
  readonly #page: Page
  readonly #headers: { authorization: string }
  constructor(page: Page, token: string) {
    this.#page = page
    this.#headers = { authorization: `Bearer ${token}` }
  }

  async change(path: string, data: object): Promise<void> {
    const reply = await this.#page.request.patch(path, { headers: this.#headers, data })
    expect(reply.status(), await reply.text()).toBe(200)
  }

  async read<T>(path: string): Promise<T> {
    return (await (await this.#page.request.get(path, { headers: this.#headers })).json()) as T
  }

  async addHost(): Promise<Host> {
    const reply = await this.#page.request.post('/api/hosts/', { headers: this.#headers, data: {} })
    return (await reply.json()) as Host
  }
}

/** Cuts the tab off from news, so that it knows nothing of what others save. */
const makeDeaf = (page: Page) => page.route('**/api/events/**', (route) => route.abort())
const save = (page: Page) => page.getByRole('button', { name: m.ui_save({}, en), exact: true }).click()

test('rule 45: two tabs × every field of the profile: no value changes that this tab did not change', async ({
  page,
}) => {
  test.setTimeout(120_000)
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
    // What this tab still shows is of the round before, and another text.
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
  // The second tab follows where it was not touched, and keeps what is typed.
  await expect(second.locator('[name=country]')).toHaveValue('AT')
  await expect(second.locator('[name=zip]')).toHaveValue('1010')
  await save(second)
  await expect(second.getByRole('region', { name: m.ui_unsaved({}, en) })).toBeHidden()
  expect(await other.read<Profile>('/api/users/detail/')).toMatchObject({ country: 'AT', zip: '1010' })
})

test('rule 45: name and address of a server are changed one by one, whatever another tab saves', async ({
  page,
}) => {
  await makeDeaf(page)
  const { token } = await newCustomer(page, 'en', 'host-tabs')
  const other = new OtherTab(page, token)
  const host = await other.addHost()
  const path = `/api/hosts/${host.id}/`
  await page.goto(`/account/servers/host/${host.id}?act=ipv4`)
  const field = page.getByRole('dialog').locator('[name=ipv4]')
  await expect(field).toHaveValue(host.ipv4 ?? '')
  await other.change(path, { name: 'renamed' })
  await field.fill('192.0.2.44')
  await save(page)
  await expect(field).toBeHidden()
  expect(await other.read<Host>(path)).toMatchObject({ name: 'renamed', ipv4: '192.0.2.44' })

  // Both changed the same: nothing is saved before somebody chose.
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

test('R-07 a link of a mail leads to its page after the sign-in', async ({ browser }) => {
  const password = 'correct horse 9 battery'
  const first = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  const { email } = await newCustomer(first, 'en', 'mail-link')
  await first.context().close()
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto('/account/tickets?tab=closed')
  await expect(page).toHaveURL(/\/account\/auth\/$/)
  await page.getByLabel(m.auth_email({}, en)).fill(email)
  await page.getByLabel(m.auth_password({}, en), { exact: true }).fill(password)
  await page.getByRole('button', { name: m.auth_sign_in({}, en), exact: true }).click()
  await expect(page).toHaveURL(/\/account\/tickets\?tab=closed$/)
  await context.close()
})
