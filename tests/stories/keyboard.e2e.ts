import { codeOf, expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { Keyboard } from './keyboard.ts'
import { newAccount } from './new-customer.ts'
import { anyAddress } from './server-calls.ts'

// Rule of ui.md: keys alone can do everything, and never leave the focus on the body, where no key does anything.
const en = { locale: 'en' } as const

test.use({ viewport: { width: 1280, height: 900 } })

test('by keys alone: sign in, order, top up, ticket, reply, two-factor, sign out', async ({ page }) => {
  test.setTimeout(180_000)
  const { email, password } = await newAccount(page, 'en', 'keys')
  const keys = new Keyboard(page)
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const dialog = page.getByRole('dialog')

  await test.step('sign in', async () => {
    await page.goto('/account/auth')
    await keys.types(page.getByLabel(m.auth_email({}, en), { exact: true }), email)
    await keys.types(page.getByLabel(m.auth_password({}, en), { exact: true }), password)
    await page.keyboard.press('Enter')
    await expect(heading(m.shell_servers({}, en))).toBeFocused()
  })

  await test.step('order a server that costs more than the balance', async () => {
    await keys.presses(
      page
        .getByRole('main')
        .getByRole('button', { name: m.licences_order_host({}, en) })
        .first(),
    )
    await keys.types(dialog.getByLabel(m.hosts_name({}, en), { exact: true }), 'web-1')
    await keys.types(dialog.getByLabel(m.hosts_ipv4({}, en)), anyAddress())
    await keys.presses(dialog.getByRole('link', { name: m.sales_top_up({}, en) }))
  })

  await test.step('top up', async () => {
    await keys.types(dialog.getByLabel(m.finance_amount({}, en), { exact: true }), '50')
    await keys.chooses(dialog.getByRole('radio', { name: m.finance_provider_test({}, en) }))
    await keys.reaches(dialog.getByRole('button', { name: m.finance_top_up_go({}, en) }))
    await page.keyboard.press('Enter')
    // This is the page of the payment provider: the product does not decide where it has the focus.
    await keys.reaches(button(m.finance_test_page_pay({}, en)))
    await page.keyboard.press('Enter')
    await keys.presses(page.getByRole('link', { name: m.sales_go_on({}, en) }))
    await expect(dialog.getByLabel(m.hosts_name({}, en), { exact: true })).toHaveValue('web-1')
    await keys.presses(dialog.getByRole('button', { name: /^Order for/ }))
    await expect(heading('web-1')).toBeFocused()
  })

  await test.step('open a ticket about it', async () => {
    await keys.presses(page.getByRole('link', { name: m.tickets_about_host({}, en) }))
    await keys.types(dialog.getByLabel(m.tickets_subject({}, en), { exact: true }), 'By keys')
    await keys.types(dialog.getByLabel(m.tickets_topic({}, en), { exact: true }), 'Tech')
    await keys.types(dialog.getByLabel(m.tickets_message({}, en), { exact: true }), 'It is slow')
    await keys.presses(dialog.getByRole('button', { name: m.tickets_create({}, en) }))
    await expect(heading('By keys')).toBeFocused()
    await keys.holdsFocus('in the conversation')
  })

  await test.step('reply', async () => {
    const field = page.getByRole('textbox', { name: m.messages_write({}, en) })
    await keys.types(field, 'And by day')
    await keys.presses(button(m.messages_send({}, en)))
    await expect(page.getByRole('log').getByText('And by day')).toBeVisible()
    await keys.types(field, 'And in the evening')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('log').getByText('And in the evening')).toBeVisible()
    await keys.holdsFocus('after a reply')
  })

  await test.step('switch two-factor on', async () => {
    await keys.presses(button(/^User menu/))
    await expect(page.locator('[role^=menuitem]:focus')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: m.shell_security({}, en) })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(heading(m.security_title({}, en))).toBeFocused()
    await keys.presses(button(m.security_totp_turn_on({}, en)))
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
    await keys.types(dialog.getByLabel(m.security_totp_code({}, en)), '000000')
    await keys.presses(dialog.getByRole('button', { name: m.security_totp_activate({}, en) }))
    await expect(dialog.getByText(m.error_incorrect_code({}, en))).toBeVisible()
    await keys.types(dialog.getByLabel(m.security_totp_code({}, en)), codeOf(secret))
    await keys.presses(dialog.getByRole('button', { name: m.security_totp_activate({}, en) }))
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await keys.holdsFocus('at the codes')
    await keys.presses(dialog.getByRole('button', { name: m.security_codes_kept({}, en) }))
    await expect(dialog).toBeHidden()
    await keys.holdsFocus('two-factor is on')
  })

  await test.step('sign out', async () => {
    await keys.presses(button(/^User menu/))
    await page.keyboard.press('End')
    const out = page.getByRole('menuitem', { name: m.shell_logout({}, en) })
    for (
      let step = 0;
      step < 10 && !(await out.evaluate((element) => element === document.activeElement));
      step += 1
    )
      await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(heading(m.auth_sign_in({}, en))).toBeVisible()
    await keys.holdsFocus('signed out')
  })
})
