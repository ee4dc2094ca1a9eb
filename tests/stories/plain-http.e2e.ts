import { chromium } from '@playwright/test'
import { expect, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'
import { chromiumFlags, ensureChromium } from '#tools/ensure-chromium.ts'
import { newCustomer } from './new-customer.ts'

const en = { locale: 'en' } as const

test('over plain HTTP under a name of a LAN one writes, copies, and reads why there are no passkeys', async ({
  page,
  baseURL,
}) => {
  const { email } = await newCustomer(page, 'en', 'lan')
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...chromiumFlags, '--host-resolver-rules=MAP desk.lan 127.0.0.1'],
  })
  try {
    const origin = `http://desk.lan:${new URL(baseURL ?? '').port}`
    const there = await browser.newPage({ locale: 'en-GB', baseURL: origin })
    const button = (text: typeof m.ui_save) => there.getByRole('button', { name: text({}, en), exact: true })
    await there.goto('/account/auth')
    expect(await there.evaluate(() => isSecureContext)).toBe(false)
    await there.getByLabel(m.auth_email({}, en)).fill(email)
    await there.getByLabel(m.auth_password({}, en), { exact: true }).fill('correct horse 9 battery')
    await expect(button(m.auth_passkey_sign_in)).toHaveCount(0)
    await button(m.auth_sign_in).click()
    await expect(there).not.toHaveURL(/auth/)

    await there.goto('/account/tickets?new=')
    await there.getByLabel(m.tickets_subject({}, en), { exact: true }).fill('From the LAN')
    await there.getByLabel(m.tickets_message({}, en), { exact: true }).fill('It works here too.')
    await there.getByLabel(m.tickets_topic({}, en), { exact: true }).selectOption('technical')
    await button(m.tickets_create).click()
    await there.getByRole('textbox', { name: m.messages_write({}, en) }).fill('And here.')
    await button(m.messages_send).click()
    await expect(there.getByRole('log').getByText('And here.')).toBeVisible()

    await there.goto('/account/settings/security')
    await expect(there.getByText(m.security_passkeys_impossible({}, en))).toBeVisible()
    await expect(button(m.security_passkey_add)).toHaveCount(0)
    await button(m.security_totp_turn_on).click()
    const copy = there.getByRole('dialog').getByRole('button', { name: m.ui_copy({}, en), exact: true })
    await copy.focus()
    await there.keyboard.press('Enter')
    const copied = there.getByRole('dialog').getByRole('button', { name: m.ui_copied({}, en), exact: true })
    await expect(copied).toBeFocused()
  } finally {
    await browser.close()
  }
})
