import type { Page } from '@playwright/test'
import type { Locale } from '#foundation/locale.ts'
import { browserLocales, codeOf, expect, linkIn, newAddress, readMail, test } from '#tests/harness/story.ts'
import { m } from '#texts/messages.js'

// The life of an account from the first visit to its end, as one person lives it.
const password = 'correct horse 9 battery'
const changed = 'staple & 4 candles'
const reset = 'lantern over 7 harbours'

// One language is enough: languages.e2e.ts shows that every page has its texts in each language.
const locale: Locale = 'de'
test.use({
  locale: browserLocales[locale],
  viewport: { width: 1280, height: 900 },
})

test('A-02 A-03 A-04 A-05 A-06 A-07 A-08 A-09 P-04 G-01 an account is made, lived in and deleted', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const visitor = new Visitor(page, locale, newAddress(`life-${locale}`))
  await visitor.signUp(password)
  await visitor.confirmAddress()
  await visitor.signIn(password)
  await visitor.chooseLanguageAndTheme()
  await visitor.fillProfile()
  const { secret, codes } = await visitor.turnOnTwoFactor()
  await visitor.signOut()
  await visitor.signIn(password, codeOf(secret))
  await visitor.signOut()
  await visitor.signIn(password, codes[0])
  await visitor.changePassword(password, changed)
  await visitor.signOut()
  await visitor.resetPassword(reset)
  await visitor.signIn(reset, codes[1])
  await visitor.reviewsAccess()
  await visitor.deleteAccount()
  await visitor.isRefused(reset)
})

class Visitor {
  readonly page: Page
  readonly locale: Locale
  readonly email: string

  constructor(page: Page, locale: Locale, email: string) {
    this.page = page
    this.locale = locale
    this.email = email
  }

  async signUp(secret: string): Promise<void> {
    await this.page.goto('/account/')
    await this.sees(m.auth_sign_in)
    await this.page.getByRole('link', { name: this.text(m.auth_sign_up) }).click()
    await this.fill(m.auth_email, this.email)
    await this.fill(m.auth_password, secret)
    await this.fill(m.auth_repeat_password, secret)
    await this.press(m.auth_sign_up)
    await this.sees(m.auth_check_mail)
  }

  async confirmAddress(): Promise<void> {
    const mail = await readMail(this.page, this.email)
    expect(mail.subject).toBe(this.text(m.profile_mail_confirm_subject))
    await this.page.goto(linkIn(mail, /verify=/))
    await this.press(m.auth_verify_action)
    await this.isTold(m.auth_verified_sign_in)
  }

  async signIn(secret: string, code?: string): Promise<void> {
    await this.page.goto('/account/auth')
    await this.sees(m.auth_sign_in)
    await this.fill(m.auth_email, this.email)
    await this.fill(m.auth_password, secret)
    await this.press(m.auth_sign_in)
    if (code) {
      await this.sees(m.auth_second_step)
      await this.fill(m.auth_code, code)
      await this.page
        .getByRole('button', { name: this.text(m.auth_sign_in) })
        .or(this.page.locator('form button[type=submit]'))
        .first()
        .click()
    }
    await this.sees(m.shell_servers)
  }

  async chooseLanguageAndTheme(): Promise<void> {
    await this.page.goto('/account/settings/account')
    const language = this.page.getByLabel(this.text(m.profile_language))
    const other = this.locale === 'en' ? 'de' : 'en'
    await language.selectOption(other)
    await expect(
      this.page.getByRole('heading', { level: 1, name: m.profile_title({}, { locale: other }) }),
    ).toBeVisible()
    await this.page.getByLabel(m.profile_language({}, { locale: other })).selectOption(this.locale)
    await this.sees(m.profile_title)
    await this.page.getByRole('button', { name: new RegExp(`^${this.text(m.shell_user_menu)}`) }).click()
    await this.page.getByRole('menuitemradio', { name: this.text(m.shell_theme_dark) }).click()
    await expect(this.page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await this.page.keyboard.press('Escape')
  }

  async fillProfile(): Promise<void> {
    const form = this.page.getByRole('form', { name: this.text(m.profile_title) })
    await form.getByLabel(this.text(m.profile_name), { exact: true }).fill('Zoë')
    await form.getByLabel(this.text(m.profile_surname)).fill('Straße-Петрова')
    await form.getByRole('button', { name: this.text(m.ui_save), exact: true }).click()
    await this.isTold(m.profile_saved)
    await this.page.reload()
    await expect(this.page.getByLabel(this.text(m.profile_surname))).toHaveValue('Straße-Петрова')
    await expect(this.page.getByRole('button', { name: /Zoë Straße-Петрова/ })).toBeVisible()
  }

  async turnOnTwoFactor(): Promise<{ secret: string; codes: string[] }> {
    await this.page.goto('/account/settings/security')
    await this.press(m.security_totp_turn_on)
    const dialog = this.page.getByRole('dialog', { name: this.text(m.security_totp_setup) })
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
    await dialog.getByLabel(this.text(m.security_totp_code)).fill('000000')
    await dialog.getByRole('button', { name: this.text(m.security_totp_activate) }).click()
    await expect(dialog.getByText(this.text(m.error_incorrect_code)), 'V-01').toBeVisible()
    await dialog.getByLabel(this.text(m.security_totp_code)).fill(codeOf(secret))
    await dialog.getByRole('button', { name: this.text(m.security_totp_activate) }).click()
    const list = dialog.getByRole('list', { name: this.text(m.security_codes) })
    await expect(list.getByRole('listitem')).toHaveCount(10)
    const codes = await list.getByRole('listitem').allInnerTexts()
    await dialog.getByRole('button', { name: this.text(m.security_codes_kept) }).click()
    await expect(dialog).toBeHidden()
    return { secret, codes }
  }

  async changePassword(from: string, to: string): Promise<void> {
    await this.page.goto('/account/settings/security')
    await this.press(m.security_password_change)
    const form = this.page.getByRole('form', { name: this.text(m.security_password) })
    await form.getByLabel(this.text(m.security_password_current)).fill(from)
    await form.getByLabel(this.text(m.security_password_new), { exact: true }).fill(to)
    await form.getByLabel(this.text(m.security_password_repeat)).fill(to)
    await form.getByRole('button', { name: this.text(m.security_password_save) }).click()
    await this.isTold(m.security_password_changed)
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${this.text(m.shell_user_menu)}`) }).click()
    await this.page.getByRole('menuitem', { name: this.text(m.shell_logout) }).click()
    await this.isTold(m.auth_see_you_soon)
    await this.sees(m.auth_sign_in)
    const stored = await this.page.evaluate(() =>
      ['user', 'access_token', 'refresh_token', 'session_token'].map((key) => localStorage.getItem(key)),
    )
    expect(stored, 'A-01').toEqual([null, null, null, null])
    await expect(this.page.locator('html'), 'the theme survives').toHaveAttribute('data-theme', 'dark')
  }

  async resetPassword(to: string): Promise<void> {
    await this.page.getByRole('link', { name: this.text(m.auth_forgotten) }).click()
    await this.fill(m.auth_email, this.email)
    await this.press(m.auth_send_link)
    await expect(
      this.page.getByText(m.auth_reset_sent({ email: this.email }, { locale: this.locale })).first(),
    ).toBeVisible()
    await this.page.goto(linkIn(await readMail(this.page, this.email, /reset=/), /reset=/))
    await this.fill(m.auth_new_password_field, to)
    const repeat = this.page.getByLabel(this.text(m.auth_repeat_password))
    if (await repeat.count()) await repeat.fill(to)
    await this.press(m.auth_set_password)
    await this.isTold(m.auth_password_set)
  }

  /** Rule 38: after a reset by mail, every other way into the account is shown, and kept. */
  async reviewsAccess(): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: this.text(m.security_review_title) })
    await expect(dialog.getByRole('listitem')).toHaveCount(1)
    await dialog.getByRole('button', { name: this.text(m.security_review_all_mine) }).click()
    await expect(dialog).toBeHidden()
    await this.page.reload()
    await this.sees(m.shell_servers)
    await expect(dialog).toBeHidden()
  }

  async deleteAccount(): Promise<void> {
    await this.page.goto('/account/settings/account')
    await this.press(m.profile_delete)
    const dialog = this.page.getByRole('dialog', { name: this.text(m.profile_delete_title) })
    const field = dialog.getByLabel(m.profile_delete_confirm({ email: this.email }, { locale: this.locale }))
    await field.fill('somebody@example.com')
    await dialog.getByRole('button', { name: this.text(m.profile_delete_button) }).click()
    await expect(dialog.getByText(this.text(m.error_email_does_not_match)), 'P-04').toBeVisible()
    await field.fill(this.email)
    await dialog.getByRole('button', { name: this.text(m.profile_delete_button) }).click()
    await this.isTold(m.profile_deleted)
    await this.sees(m.auth_sign_in)
  }

  async isRefused(secret: string): Promise<void> {
    await this.fill(m.auth_email, this.email)
    await this.fill(m.auth_password, secret)
    await this.press(m.auth_sign_in)
    await expect(this.page.getByText(this.text(m.error_email_password_mismatch))).toBeVisible()
    await expect(this.page.getByLabel(this.text(m.auth_email)), 'nothing typed is lost').toHaveValue(
      this.email,
    )
  }

  private text(text: (inputs: Record<string, never>, options: { locale: Locale }) => string): string {
    return text({}, { locale: this.locale })
  }

  private async sees(text: Parameters<Visitor['text']>[0]): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: this.text(text) })).toBeVisible()
  }

  private async isTold(text: Parameters<Visitor['text']>[0]): Promise<void> {
    await expect(this.page.getByText(this.text(text)).first()).toBeVisible()
  }

  private fill(label: Parameters<Visitor['text']>[0], value: string): Promise<void> {
    return this.page.getByLabel(this.text(label), { exact: true }).fill(value)
  }

  private press(name: Parameters<Visitor['text']>[0]): Promise<void> {
    return this.page
      .getByRole('button', { name: this.text(name), exact: true })
      .first()
      .click()
  }
}
