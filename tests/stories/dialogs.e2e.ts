import { execFileSync } from 'node:child_process'
import type { Locator, Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import { translate } from '#tests/harness/translator.ts'
import { codeOf, expect, linkIn, newAddress, readMail, test } from '#tests/harness/story.ts'
import { addAuthenticator } from './authenticator.ts'
import { newAccount, newCustomer } from './new-customer.ts'
import { anyAddress, ServerCalls } from './server-calls.ts'
import { signIn } from './sign-in.ts'
import { callApi } from './call-api.ts'

// Every dialog of the product has a cross, and is closed by Esc and by its own action (foundation/web/ui/dialog.test.tsx closes one in every
// way). The focus returns to the element that opened the dialog or, if that element is gone, to another one that is there now, and never to
// the body. All of it happens under a translator (08-translator), whose elements no dialog may mind (rule 56).
test.use({ viewport: { width: 1280, height: 900 }, actionTimeout: 60_000, translated: true })

test('of servers', async ({ page }) => {
  test.setTimeout(240_000)
  const { token } = await newCustomer(page, 'en', 'dialogs')
  const calls = new ServerCalls(page, token)
  const dialogs = new Dialogs(page)
  const { button, dialog } = dialogs

  await page.goto('/account/servers/list')
  await dialogs.closes(button('New server').first())
  await calls.paysIn('20000')
  const free = await calls.adds('brave-otter-42')
  const paid = await calls.orders('web-1', 'starter-month')

  await page.goto('/account/servers/list')
  await expect(page.getByText('web-1', { exact: true })).toBeVisible()
  await dialogs.closes(page.getByRole('button', { name: /web-1/ }), 'Rename')
  await dialogs.closes(page.getByRole('button', { name: /web-1/ }), 'Delete server')

  await page.goto(`/account/servers/host/${free}`)
  await dialogs.closes(button('Order licence').first())
  await dialogs.closes(button('Connect server'))
  await dialogs.ends(
    button('Set address'),
    async () => {
      await dialog.getByLabel('IPv4 address').fill(anyAddress())
      await dialog.getByRole('button', { name: 'Save' }).click()
    },
    button('Change address'),
  )
  await page.goto(`/account/servers/host/${paid}`)
  for (const name of ['Renew', 'Licence file', 'Change address', 'Delete server'])
    await dialogs.closes(button(name))
  await dialogs.closes(button('Rename'))
  await dialogs.ends(button('Rename'), async () => {
    await dialog.getByRole('textbox').fill('web-2')
    await page.keyboard.press('Enter')
  })
  await dialogs.ends(button('Renew'), () => dialog.getByRole('button', { name: /^Renew for/ }).click())
  await dialogs.ends(
    button('Connect server'),
    async () => {
      await dialog.getByRole('button', { name: 'Create token' }).click()
      await expect(dialog.getByText('hda_').first()).toBeVisible()
      await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
    },
    button('New token'),
  )
  await dialogs.ends(
    button('Delete server'),
    async () => {
      await dialog.getByRole('textbox').fill('web-2')
      await page.keyboard.press('Enter')
    },
    page.getByRole('heading', { level: 1, name: 'Servers' }),
  )
  // The row leaves the list with its server.
  await dialogs.ends(
    page.getByRole('button', { name: /brave-otter-42/ }),
    async () => {
      await dialog.getByRole('textbox').fill('brave-otter-42')
      await page.keyboard.press('Enter')
    },
    page.locator('main :focus'),
    'Delete server',
  )
})

test('of money', async ({ page }) => {
  test.setTimeout(240_000)
  const { token } = await newCustomer(page, 'en', 'dialogs')
  await new ServerCalls(page, token).paysIn('2000')
  const dialogs = new Dialogs(page)
  const { button, dialog } = dialogs
  await page.goto('/account/finances')
  await dialogs.closes(button('Top up'))
  await dialogs.closes(page.getByRole('list', { name: 'Transactions' }).getByRole('button'))
  await dialogs.closes(button('Redeem voucher'))
  await dialogs.ends(button('Redeem voucher'), async () => {
    await dialog.getByRole('textbox').fill(makeVoucher())
    await page.keyboard.press('Enter')
  })
  for (let time = 0; time < 2; time += 1) {
    await page.goto('/account/finances')
    await dialogs.ends(button('Top up'), async () => {
      await dialog.getByRole('radio', { name: 'Bank transfer' }).check()
      await dialog.getByRole('button', { name: 'Continue to payment' }).click()
    })
    await expect(page).toHaveURL(/top_up=/)
  }
  await page.goto('/account/finances')
  const cancel = page.getByRole('button', { name: 'Cancel transfer' })
  await expect(cancel).toHaveCount(2)
  await dialogs.closes(cancel.first())
  const sure = () => dialog.getByRole('button', { name: 'Cancel transfer' }).click()
  await dialogs.ends(cancel.first(), sure, page.locator('main :focus'))
  await expect(cancel).toHaveCount(1)
  await dialogs.ends(cancel.first(), sure, page.locator('main :focus'))
  await expect(cancel).toHaveCount(0)
  await dialogs.holds()
  await page.goto('/account/finances?view=invoices')
  await dialogs.closes(button('Billing details'))
  await dialogs.ends(button('Billing details'), async () => {
    await dialog.getByLabel(/Leitweg-ID/).fill('PO 7')
    await dialog.getByRole('button', { name: 'Save' }).click()
  })
})

test('the focus is kept while the browser never had time for what comes after the page', async ({ page }) => {
  const { token } = await newCustomer(page, 'en', 'dialogs')
  const calls = new ServerCalls(page, token)
  await calls.announces('2000')
  await calls.announces('3000')
  await page.addInitScript(() => (globalThis.requestIdleCallback = () => 0))
  await page.goto('/account/finances')
  const dialogs = new Dialogs(page)
  const cancel = page.getByRole('button', { name: 'Cancel transfer' })
  await expect(cancel).toHaveCount(2)
  await dialogs.ends(
    cancel.first(),
    () => dialogs.dialog.getByRole('button', { name: 'Cancel transfer' }).click(),
    page.locator('main :focus'),
  )
  await expect(cancel).toHaveCount(1)
  await dialogs.holds()
})

test('of the account', async ({ page, browser }) => {
  test.setTimeout(240_000)
  const { email } = await newCustomer(page, 'en', 'dialogs')
  await addAuthenticator(await page.context().newCDPSession(page))
  const dialogs = new Dialogs(page)
  const { button, dialog } = dialogs

  await page.goto('/account/settings/account')
  await dialogs.closes(button('Delete account'))
  const added = newAddress('added')
  await page.getByRole('form', { name: 'Add address' }).getByRole('textbox').fill(added)
  await page.keyboard.press('Enter')
  const row = page.getByRole('button', { name: `Actions for ${added}` })
  await expect(row).toBeVisible()
  await dialogs.holds()
  await dialogs.closes(row, 'Remove')
  await dialogs.ends(
    row,
    () => dialog.getByRole('button', { name: 'Remove' }).click(),
    page.locator('main :focus'),
    'Remove',
  )

  await page.goto('/account/settings/security')
  await dialogs.closes(button('Change password'))
  await dialogs.ends(button('Change password'), async () => {
    await dialog.getByLabel('Current password').fill('correct horse 9 battery')
    await dialog.getByLabel('New password', { exact: true }).fill('staple & 4 candles')
    await dialog.getByLabel(/Repeat/).fill('staple & 4 candles')
    await page.keyboard.press('Enter')
  })
  // Another device, for the question after each factor.
  const other = await browser.newContext()
  await signIn(await other.newPage(), { email, password: 'staple & 4 candles' })
  await dialogs.closes(button('Add passkey'))
  await dialogs.ends(
    button('Add passkey'),
    async () => {
      await dialog.getByLabel('Name', { exact: true }).fill('Laptop')
      await page.keyboard.press('Enter')
      await dialogs.keepsOthers()
    },
    button('Add passkey'),
  )
  const key = page.getByRole('button', { name: /Actions for “/ })
  await dialogs.closes(key, 'Rename')
  await dialogs.ends(
    key,
    async () => {
      await dialog.getByRole('textbox').fill('Desktop')
      await page.keyboard.press('Enter')
    },
    key,
    'Rename',
  )
  await dialogs.closes(key, 'Remove')
  await dialogs.ends(
    key,
    async () => {
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await dialogs.keepsOthers()
    },
    page.locator('main :focus'),
    'Remove',
  )

  await dialogs.closes(button('Set up'))
  let secret = ''
  await dialogs.ends(
    button('Set up'),
    async () => {
      secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
      await dialog.getByLabel('2. Code from the app').fill(codeOf(secret))
      await page.keyboard.press('Enter')
      await dialogs.holds()
      await dialog.getByRole('button', { name: 'I’ve saved them' }).click()
      await dialogs.keepsOthers()
    },
    page.locator('main :focus'),
  )
  await dialogs.closes(button('Show codes'))
  await dialogs.closes(button('Generate new codes'))
  await dialogs.ends(button('Generate new codes'), async () => {
    await dialog.getByRole('button', { name: 'Generate new codes' }).click()
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await page.keyboard.press('Escape')
  })
  await dialogs.closes(button('Turn off'))
  // The dialog for the proof lies above the question: once dismissed, it returns the focus to the question.
  await dialogs.opens(button('Turn off'))
  const sure = dialog.getByRole('button', { name: 'Turn off' })
  await sure.click()
  await expect(page.getByLabel('Two-factor code')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(sure).toBeFocused()
  await sure.click()
  await page.getByLabel('Two-factor code').fill(codeOf(secret, 1))
  await page.keyboard.press('Enter')
  await dialogs.keepsOthers()
  await expect(button('Set up')).toBeVisible()
  await dialogs.holds()
  await other.close()
})

test('the dialogs of a ticket, shortcuts, search and the phone menu return the focus', async ({ page }) => {
  test.setTimeout(240_000)
  await newCustomer(page, 'en', 'dialogs')
  const dialogs = new Dialogs(page)
  const { button, dialog } = dialogs
  await page.goto('/account/tickets')
  await dialogs.closes(button('New ticket').first())
  for (const keys of ['Control+k', '?']) {
    await button('New ticket').first().focus()
    await page.keyboard.press(keys)
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(button('New ticket').first()).toBeFocused()
  }
  await dialogs.closes(button('Search'))

  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/account/servers/list')
  await dialogs.closes(button('Menu'))
})

test('of the staff', async ({ page: customer, browser }) => {
  test.setTimeout(240_000)
  const { token } = await newCustomer(customer, 'en', 'dialogs')
  const chatId = (await new ServerCalls(customer, token).asks('Files')).id
  const context = await browser.newContext({ viewport: { width: 900, height: 900 } })
  await translate(context)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await signIn(page, olivia)
  await page.addInitScript(() => localStorage.setItem('locale', 'en'))
  const dialogs = new Dialogs(page)
  const { button, dialog } = dialogs
  await page.goto(`/account/staff-tickets/${chatId}`)
  await dialogs.closes(button('More actions'), 'Customer')
  await page.getByRole('textbox', { name: 'Write a message' }).focus()
  await dialogs.closes(button('Canned replies'))
  await dialogs.opens(button('Canned replies'))
  await dialog.getByRole('button', { name: 'Manage…' }).click()
  for (const title of ['First', 'Second']) {
    await dialog.getByRole('button', { name: 'New reply' }).click()
    await dialog.getByLabel('Title', { exact: true }).fill(`${title} ${chatId}`)
    await dialog.getByLabel('Text', { exact: true }).fill('Look again')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('button', { name: `Edit “${title} ${chatId}”` })).toBeVisible()
    await dialogs.holds()
  }
  await dialog.getByRole('button', { name: `Delete “First ${chatId}”` }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete for the whole team?' }).press('Enter')
  await expect(dialog.getByRole('button', { name: `Delete “First ${chatId}”` })).toHaveCount(0)
  await dialogs.holds()
  await page.keyboard.press('Escape')
  await dialogs.holds()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await dialogs.holds()
  await context.close()
})

test('a dialog that a mailed link opens closes by Esc and leaves focus off the body', async ({ page }) => {
  const { email, password } = await newAccount(page, 'en', 'dialogs')
  const token = await signIn(page, { email, password })
  const added = newAddress('added')
  await callApi(page, 'POST', '/api/allauth/app/v1/account/email', { token, data: { email: added } })
  await page.goto(linkIn(await readMail(page, added, /verify=/), /verify=/))
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await new Dialogs(page).holds()
})

class Dialogs {
  readonly page: Page
  readonly dialog: Locator
  constructor(page: Page) {
    this.page = page
    this.dialog = page.getByRole('dialog')
  }

  readonly button = (name: string | RegExp): Locator =>
    this.page.getByRole('button', { name, exact: typeof name === 'string' }).filter({ visible: true })

  /** Closes a dialog by Esc. `item` is an entry of the menu that the opener opens, if it opens one. */
  async closes(opener: Locator, item?: string): Promise<void> {
    await this.opens(opener, item)
    await expect(this.dialog.getByRole('button', { name: /Close$/ }).first()).toBeVisible()
    await this.page.keyboard.press('Escape')
    await expect(this.dialog).toHaveCount(0)
    await expect(opener, 'closed by Esc').toBeFocused()
  }

  /** Ends a dialog by its own action `act`; the focus is then on `then`. */
  async ends(
    opener: Locator,
    act: () => Promise<unknown>,
    then: Locator = opener,
    item?: string,
  ): Promise<void> {
    await this.opens(opener, item)
    await act()
    await expect(this.dialog).toHaveCount(0)
    await expect(then).toBeFocused()
    await this.holds()
  }

  async opens(opener: Locator, item?: string): Promise<void> {
    await opener.focus()
    await this.page.keyboard.press('Enter')
    if (item !== undefined) {
      await expect(this.page.locator('[role^=menuitem]:focus')).toBeVisible()
      await this.page.getByRole('menuitem', { name: item }).filter({ visible: true }).focus()
      await this.page.keyboard.press('Enter')
    }
    await expect(this.dialog).toBeVisible()
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0)
  }

  /** Answers the question whether other devices stay signed in, which follows each change of a factor. */
  async keepsOthers(): Promise<void> {
    const keep = this.dialog.getByRole('button', { name: 'Keep them signed in' })
    await keep.click()
  }

  /** Expects the focus on an element other than the body, once nothing is busy. */
  async holds(): Promise<void> {
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0)
    await expect.poll(() => this.page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  }
}

const env = { ...process.env, DATA_DIR: process.env['STORY_DATA_DIR'] }

function makeVoucher(): string {
  const made = execFileSync(process.execPath, ['app/cli/main.ts', 'voucher', 'make', '25', '1', '30'], {
    encoding: 'utf8',
    env,
  })
  return made.split('\n')[0] ?? ''
}
