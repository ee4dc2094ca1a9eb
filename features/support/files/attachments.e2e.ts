import { readFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { olivia } from '#app/seed/people.ts'
import { must } from '#foundation/must.ts'
import type { Locale } from '#foundation/locale.ts'
import { expectAccessible, expectAccessibleEverywhere } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { m } from '#texts/messages.js'

// A customer and staff send files with messages, against the whole product.
type File = { name: string; mimeType: string; buffer: Buffer }

const picture = async (name: string, colour: string): Promise<File> => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 1200, height: 800, channels: 3, background: colour } })
    .png()
    .toBuffer(),
})
const log = (): File => ({ name: 'server.log', mimeType: 'text/plain', buffer: Buffer.from('it broke\n') })

/** Drops files on the page as if dragged from the desktop, once the message field that takes them is visible. */
async function drop(page: Page, files: readonly File[]): Promise<void> {
  await expect(page.getByRole('textbox')).toBeVisible()
  const given = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    base64: buffer.toString('base64'),
  }))
  await page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer()
    for (const { name, mimeType, base64 } of dropped) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
      dataTransfer.items.add(new File([bytes], name, { type: mimeType }))
    }
    for (const kind of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }))
  }, given)
}

class Talker {
  readonly page: Page
  readonly #locale: Locale
  constructor(page: Page, locale: Locale) {
    this.page = page
    this.#locale = locale
  }
  text = (say: (values: never, options: { locale: Locale }) => string, values: object = {}): string =>
    say(values as never, { locale: this.#locale })
  button = (say: (values: never, options: { locale: Locale }) => string, values: object = {}) =>
    this.page.getByRole('button', { name: this.text(say, values) })
  log = () => this.page.getByRole('log')
  pictureOf = (name: string) =>
    this.log().getByRole('button', { name: this.text(m.files_picture_open, { name }) })
  /** The line of a file is found by the file's name alone, because the notation of sizes differs. */
  lineOf = (name: string) => this.log().getByRole('button').filter({ hasText: name })
  async isThere(name: string): Promise<void> {
    await expect(this.button(m.files_remove, { name })).toBeVisible()
  }
}

async function staffPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await signIn(page, olivia)
  return page
}

const locale: Locale = 'en'

test.describe(`in ${locale}`, () => {
  test.use({ locale: browserLocales[locale] })

  test('K-02 files go with a new ticket and with messages, both ways, and are looked at and kept', async ({
    page,
    browser,
  }) => {
    test.setTimeout(180_000)
    await newCustomer(page, locale)
    const customer = new Talker(page, locale)
    await page.goto('/account/tickets')
    await customer.button(m.tickets_new).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(customer.text(m.tickets_subject)).fill('Screenshots')
    await dialog.getByLabel(customer.text(m.tickets_topic)).selectOption('technical')
    await dialog.getByLabel(customer.text(m.tickets_message)).fill('See the file.')
    await dialog.locator('input[type=file]').setInputFiles(log())
    await expectAccessible(page, 'the dialog with a file')
    await dialog.getByRole('button', { name: customer.text(m.tickets_create) }).click()
    await expect(page).toHaveURL(/\/tickets\/[\w-]{22}$/)
    await expect(customer.lineOf('server.log')).toBeVisible()
    const chatId = must(page.url().split('/').at(-1))

    await drop(page, [await picture('red.png', 'firebrick'), { ...log(), name: 'second.log' }])
    await customer.isThere('red.png')
    await customer.isThere('second.log')
    await page.reload()
    await customer.isThere('red.png')
    await customer.button(m.messages_send).click()
    await expect(customer.pictureOf('red.png').locator('img')).toBeVisible()

    const staff = new Talker(await staffPage(browser), 'en')
    await staff.page.goto(`/account/staff-tickets/${chatId}`)
    await expect(staff.pictureOf('red.png').locator('img')).toBeVisible()
    await staff.pictureOf('red.png').click()
    await expect(staff.page.getByRole('dialog').getByRole('img', { name: 'red.png' })).toBeVisible()
    await expectAccessible(staff.page, 'a picture, large')
    await staff.page.keyboard.press('Escape')
    const [kept] = await Promise.all([
      staff.page.waitForEvent('download'),
      staff.lineOf('second.log').click(),
    ])
    expect(kept.suggestedFilename()).toBe('second.log')
    expect(readFileSync(await kept.path(), 'utf8')).toBe('it broke\n')

    await staff.page.locator('input[type=file]').setInputFiles(await picture('blue.png', 'navy'))
    await staff.isThere('blue.png')
    await staff.button(m.messages_send).click()
    await expect(customer.pictureOf('blue.png').locator('img')).toBeVisible()
    await staff.page.context().close()
  })
})

test('a file picked without a network goes up when it is back, and its message goes once', async ({
  page,
  context,
}) => {
  const { token } = await newCustomer(page, 'en')
  const chatId = (await new ServerCalls(page, token).asks('Files', 'Look')).id
  const customer = new Talker(page, 'en')
  await page.goto(`/account/tickets/${chatId}`)
  await expect(customer.log()).toContainText('Look')
  await context.setOffline(true)
  await drop(page, [log()])
  await expect(customer.button(m.files_retry, { name: 'server.log' })).toBeVisible()
  await context.setOffline(false)
  await expect(customer.button(m.files_retry, { name: 'server.log' })).toBeHidden()
  await customer.isThere('server.log')
  await context.setOffline(true)
  await customer.button(m.messages_send).click()
  await expect(customer.log()).toContainText(customer.text(m.messages_waiting))
  await expect(customer.lineOf('server.log')).toHaveCount(1)
  await context.setOffline(false)
  await expect(customer.log()).not.toContainText(customer.text(m.messages_waiting))
  await expect(customer.lineOf('server.log')).toHaveCount(1)
  await page.reload()
  await expect(customer.lineOf('server.log')).toHaveCount(1)
})

test.describe('in every width and theme', () => {
  test('axe finds nothing in files to send, sent and large; nothing scrolls sideways', async ({
    page,
  }, info) => {
    const { token } = await newCustomer(page, 'en')
    const chatId = (await new ServerCalls(page, token).asks('Files', 'Look')).id
    const customer = new Talker(page, 'en')
    await page.goto(`/account/tickets/${chatId}`)
    const long = { ...log(), name: `${'a-very-long-name-'.repeat(8)}.log` }
    await drop(page, [await picture('red.png', 'firebrick'), log(), long])
    await customer.isThere('server.log')
    await customer.isThere('red.png')
    await customer.button(m.messages_send).click()
    await expect(customer.pictureOf('red.png').locator('img')).toBeVisible()
    await drop(page, [log(), { ...log(), name: 'empty.txt', buffer: Buffer.alloc(0) }, long])
    await customer.isThere('server.log')
    await expectAccessibleEverywhere(page, 'files', { open: customer.pictureOf('red.png') })
    await info.attach('chat', { body: await page.screenshot(), contentType: 'image/png' })
    await customer.pictureOf('red.png').click()
    await expectAccessibleEverywhere(page, 'large', { open: page.getByRole('dialog').getByRole('img') })
    await info.attach('large', { body: await page.screenshot(), contentType: 'image/png' })
  })
})
