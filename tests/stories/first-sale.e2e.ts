import { execFileSync } from 'node:child_process'
import type { Browser, Locator, Page } from '@playwright/test'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { expect, linkIn, newAddress, readMail, test } from '#tests/harness/story.ts'
import { launchProduct } from '#tests/start/launched.ts'
import { makeDataDir } from '#tests/system/product-process.ts'

// A product of its own, without demo data: what its operator sees on the first day. Its seller is entered on a page, not by settings.
const settings = { DEMO: 'off', PAYMENTS: 'bank' }
const password = 'correct horse 9 battery'

test('a fresh installation sells its first licence, which a bank file pays, by what the pages offer', async ({
  browser,
}) => {
  const { dataDir, remove } = makeDataDir()
  const product = await launchProduct({ dataDir, settings })
  const origin = product.url.replace('127.0.0.1', 'localhost')
  try {
    const [owner, customer] = [await Person.at(browser, origin), await Person.at(browser, origin)]
    await owner.accepts(inviteOwner(dataDir, owner.email))
    await owner.entersCompany()
    await owner.putsPlanOnSale()
    await customer.signsUp('/account/')
    const reference = await customer.ordersAndTransfers()
    await owner.importsTransfer(reference)
    await customer.finishesOrder()
    process.stdout.write(
      `presses from create-staff to the first licence: ${owner.presses} by the owner, ${customer.presses} by the customer\n`,
    )
    await owner.seesWhatIsDone()
    for (const { page } of [owner, customer]) await page.context().close()
  } finally {
    await product.end()
    remove()
  }
})

/** Returns the link that the operator's command prints. */
function inviteOwner(dataDir: string, email: string): string {
  const command = ['app/cli/main.ts', 'create-staff', email, '--role', 'owner', '--print-link']
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  const said = execFileSync(process.execPath, command, { encoding: 'utf8', env })
  return linkIn({ subject: '', text: said, html: '' }, /invite=/)
}

/** Somebody at a browser, whose presses are counted; what is typed is not. */
class Person {
  readonly email = newAddress('first-sale')
  presses = 0
  readonly page: Page
  private readonly setUp: Locator

  private constructor(page: Page) {
    this.page = page
    this.setUp = page.getByRole('region', { name: /^Set up/ })
  }

  static async at(browser: Browser, baseURL: string): Promise<Person> {
    const context = await browser.newContext({ baseURL, locale: 'en-GB' })
    context.setDefaultTimeout(60_000)
    return new Person(await context.newPage())
  }

  async signsUp(at: string): Promise<void> {
    await this.page.goto(at)
    await this.press(this.page.getByRole('link', { name: 'Create account' }))
    await this.fill('Email', this.email)
    for (const field of ['Password', 'Repeat password']) await this.fill(field, password)
    await this.button('Create account')
    await this.sees('Check your email')
    await this.page.goto(linkIn(await readMail(this.page, this.email, /verify=/), /verify=/))
    await this.button('Confirm email address')
    await this.fill('Password', password)
    await this.button('Sign in')
  }

  async accepts(invitation: string): Promise<void> {
    await this.signsUp(invitation)
    await this.sees('Join the support team')
    await this.button('Accept invitation')
    await this.sees('Today')
  }

  /** The seller and its bank account, before the first document carries them. */
  async entersCompany(): Promise<void> {
    await this.press(this.setUp.getByRole('link', { name: 'Open Company' }).first())
    await this.sees('Company')
    const dialog = this.page.getByRole('dialog')
    await this.button('Edit company data')
    await this.fill('Company name', 'Example GmbH')
    await this.fill('Street and number', 'Musterweg 2')
    await this.fill('Postal code', '10115')
    await this.fill('City', 'Berlin')
    await this.fill('VAT ID', 'DE123456788')
    await this.fill('Web address of the imprint', 'https://example.com/imprint')
    await expect(dialog.getByRole('region', { name: 'On an invoice' })).toContainText('DE 10115 Berlin')
    await this.press(dialog.getByRole('button', { name: 'Save' }))
    await expect(dialog).toBeHidden()
    await this.button('Edit bank account')
    await this.fill('Account holder', 'Example GmbH')
    await this.fill('IBAN', 'DE02 1203 0000 0000 2020 52')
    await this.press(dialog.getByRole('button', { name: 'Save' }))
    await expect(dialog.getByText('Check the IBAN')).toBeVisible()
    await this.fill('IBAN', 'DE02 1203 0000 0000 2020 51')
    await this.fill('BIC', 'BYLADEM1001')
    await this.press(dialog.getByRole('button', { name: 'Save' }))
    await expect(dialog).toBeHidden()
    await expect(this.page.getByText('Bank account, version 2')).toBeVisible()
    await this.press(this.page.getByRole('navigation').getByRole('link', { name: 'Today', exact: true }))
  }

  async putsPlanOnSale(): Promise<void> {
    await this.press(this.setUp.getByRole('link', { name: 'Add a plan' }))
    await this.sees('Plans and vouchers')
    await this.button('Add plan')
    const dialog = this.page.getByRole('dialog')
    for (const language of ['English', 'German', 'Russian']) await this.fill(`Name in ${language}`, 'Basic')
    await this.fill('Short name', 'basic-month')
    await this.fill('Net price in EUR', '10')
    await this.press(dialog.getByRole('button', { name: 'Add plan' }))
    await expect(dialog).toBeHidden()
  }

  /** The list on System, which the owner's story ends with. */
  async seesWhatIsDone(): Promise<void> {
    await this.goes('System')
    for (const title of ['Your company', 'A plan on sale', 'A way to pay', 'The first licence sold']) {
      const item = this.setUp.getByRole('listitem').filter({ hasText: title })
      await expect(item.getByRole('img', { name: 'Done' })).toBeVisible()
    }
  }

  /** Orders a server, which a bank transfer pays. Returns the reference of the transfer. */
  async ordersAndTransfers(): Promise<string> {
    await this.button('New server')
    await this.page.getByLabel('IPv4').fill('198.51.100.7')
    await this.press(this.page.getByRole('button', { name: 'Pay €11.90 and order' }))
    return this.page.locator('dl > div', { hasText: 'Reference' }).locator('dd').innerText()
  }

  async importsTransfer(reference: string): Promise<void> {
    await this.goes('Bank transfers')
    const choosing = this.page.waitForEvent('filechooser')
    await this.button('Import statement')
    const buffer = Buffer.from(bankStatement([{ amount: 1190, text: reference, name: 'First Customer' }]))
    await (await choosing).setFiles({ name: 'statement.xml', mimeType: 'text/xml', buffer })
    await this.press(this.page.getByRole('button', { name: /^Book 1 exact payment$/ }))
  }

  async finishesOrder(): Promise<void> {
    // The money has ordered the server.
    await this.press(this.page.getByRole('link', { name: 'Open licence' }))
    await expect(this.page.getByText('Active', { exact: true }).first()).toBeVisible()
    const paid = this.page.getByRole('listitem').filter({ hasText: '€11.90' }).getByRole('link')
    await expect(paid, 'the payment leads to its invoice').toHaveCount(1)
  }

  private async goes(place: string): Promise<void> {
    await this.press(this.page.getByRole('navigation').getByRole('link', { name: place, exact: true }))
    await this.sees(place)
  }

  private fill(label: string, value: string): Promise<void> {
    return this.page.getByLabel(label, { exact: true }).fill(value)
  }

  private button(name: string): Promise<void> {
    return this.press(this.page.getByRole('button', { name, exact: true }).first())
  }

  private async sees(title: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }

  private async press(what: Locator): Promise<void> {
    this.presses += 1
    await what.click()
  }
}
