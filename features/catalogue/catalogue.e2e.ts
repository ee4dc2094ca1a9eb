import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { DayAtDesk } from '#tests/stories/day-at-desk.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { goByKeys, staffAtDesk } from '#tests/stories/staff-at-desk.ts'
import { m } from '#texts/messages.js'

test('a price is raised from next month by keyboard alone, at 360 px in German', async ({ browser }) => {
  const locale = 'de'
  const said = { locale } as const
  const staff = await staffAtDesk(browser, olivia, { locale, width: 360 })
  const day = new DayAtDesk(staff, locale)
  await day.go('l', m.catalogue_title({}, said))
  // No example customer renews this plan.
  const row = staff.getByRole('listitem').filter({ hasText: 'starter-year' })
  await day.press(row.getByRole('button').first())
  const dialog = staff.getByRole('dialog')
  await expect(dialog.locator('[name=price_net]')).toBeFocused()
  await day.type('price_net', '4711')
  await expect(dialog.getByText(m.catalogue_nobody_pays({}, said))).toBeVisible()
  await expectAccessible(staff, 'the dialog of a price')
  await staff.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(row).toContainText(/4[.,\s\u{a0}]?711/u)
  await staff.context().close()
})

// The tests run one after the other, because they change the same list of plans.
test.describe('the order of plans', () => {
  test.describe.configure({ mode: 'default' })

  test('a plan is moved down and up again by keyboard alone, and the focus goes along', async ({
    browser,
  }) => {
    const staff = await staffAtDesk(browser, olivia, { locale: 'ru', width: 360 })
    const said = { locale: 'ru' } as const
    await goByKeys(staff, 'l', m.catalogue_title({}, said))
    const rows = staff.getByRole('list', { name: m.catalogue_plans({}, said) }).getByRole('listitem')
    await expect(rows.first()).toBeVisible()
    const [first = '', second = ''] = await rows
      .locator('[id^=plan-up-]')
      .evaluateAll((all) => all.map(({ id }) => id.slice('plan-up-'.length)))
    await staff.locator(`#plan-down-${first}`).press('Enter')
    await expect(rows.first()).toContainText(second)
    await expect(staff.locator(`#plan-down-${first}`)).toBeFocused()
    await expectAccessible(staff, 'plans in another order')
    await staff.keyboard.press('Shift+Tab')
    await staff.keyboard.press('Enter')
    await expect(rows.first()).toContainText(first)
    await expect(
      staff.locator(`#plan-down-${first}`),
      'the other button is disabled at the top',
    ).toBeFocused()
    await staff.context().close()
  })

  test('rule 45: a plan that is moved in one tab stays where it is while another tab shows the order of before', async ({
    browser,
  }) => {
    const staff = await staffAtDesk(browser, olivia)
    await staff.route('**/api/events/**', (route) => route.abort())
    await goByKeys(staff, 'l', m.catalogue_title({}, { locale: 'en' }))
    const rows = staff
      .getByRole('list', { name: m.catalogue_plans({}, { locale: 'en' }) })
      .getByRole('listitem')
    const shown = () =>
      rows.locator('[id^=plan-up-]').evaluateAll((all) => all.map(({ id }) => id.slice('plan-up-'.length)))
    await expect(rows.first()).toBeVisible()
    const [first = '', second = '', third = '', ...others] = await shown()
    const other = await staff.context().newPage()
    await other.goto(staff.url())
    const moved = other.waitForResponse((answer) => answer.request().method() !== 'GET')
    await other.locator(`#plan-down-${second}`).press('Enter')
    await moved
    await expect(other.locator(`#plan-down-${second}`)).toBeFocused()
    // This tab still shows the second plan as the second.
    expect(await shown()).toEqual([first, second, third, ...others])
    await staff.locator(`#plan-down-${first}`).press('Enter')
    await expect(staff.getByText(m.catalogue_order_changed({}, { locale: 'en' }))).toBeVisible()
    await expect.poll(shown).toEqual([first, third, second, ...others])
    await staff.locator(`#plan-up-${second}`).press('Enter')
    await expect.poll(shown).toEqual([first, second, third, ...others])
    await staff.context().close()
  })
})

test('staff make a voucher whose code is shown once, a customer redeems it, and staff void its remaining use', async ({
  page,
  browser,
}) => {
  const staff = await staffAtDesk(browser, olivia)
  await goByKeys(staff, 'l', 'Plans and vouchers')
  await staff.getByRole('button', { name: 'Create voucher' }).press('Enter')
  const note = `Fair ${Date.now().toString(36)}`
  await expect(staff.getByLabel('Value in EUR')).toBeFocused()
  await staff.keyboard.type('7.50')
  await staff.getByLabel('How many customers may redeem it').fill('2')
  await staff.getByLabel('Note for staff').fill(note)
  await staff.keyboard.press('Enter')
  await expect(staff.getByText('Copy it now')).toBeVisible()
  const code = (await staff.getByRole('dialog').locator('code').textContent()) ?? ''
  await expectAccessible(staff, 'the code of a voucher')
  await staff.getByRole('button', { name: 'I’ve copied it' }).press('Enter')

  const { token } = await newCustomer(page, 'en', 'redeeming')
  const headers = { 'idempotency-key': `redeem-${note}` }
  await callApi(page, 'POST', '/api/finances/vouchers/', { token, headers, data: { code }, status: 201 })

  await staff.reload()
  const row = staff.getByRole('listitem').filter({ hasText: note })
  await expect(row).toContainText('1 of 2 redeemed')
  await expectAccessible(staff, 'plans and vouchers')
  await row.getByRole('button', { name: /^Void voucher/ }).press('Enter')
  await expect(staff.getByLabel('Reason')).toBeFocused()
  await staff.keyboard.type('Posted in a forum')
  await staff.keyboard.press('Enter')
  await expect(row).toContainText('Void')
  await expect(row).toContainText('Posted in a forum')
  await staff.context().close()
})
