import type { Browser, Page } from '@playwright/test'
import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { resumeHost, suspendHost } from '#features/licences/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { createLog } from '#foundation/server/log.ts'
import { Client } from '#tests/harness/client.ts'
import { signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { buyer, stockShop } from '#tests/harness/shop.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { anyAddress } from '#tests/stories/server-calls.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { m } from '#texts/messages.js'

// The law of Germany and its neighbours gives the right to withdraw, so the customer reads German.
const locale = 'de'
const said = { locale } as const

// An installation of its own, whose operator asks for the terms and links an instruction on withdrawal.
const asks = {
  TERMS_URL: 'https://nordic.example/terms',
  TERMS_VERSION: '2',
  WITHDRAWAL_URL: 'https://nordic.example/withdrawal',
}

test('L-01 L-02 L-20 changed terms are accepted, a server is ordered, suspended and resumed, and the order withdrawn from', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const { dataDir, remove } = makeDataDir()
  const SECRET_KEY = 'the-key-of-this-story-which-protects-nothing-0123456789'
  const settings = { ...asks, DEMO: 'off', RATE_LIMIT_SCALE: '1000', DATA_DIR: dataDir, SECRET_KEY }
  const product = await startProduct({ dataDir, settings, withPages: true })
  try {
    const { customer, staff } = await people(product.url, dataDir, settings)
    const page = await open(browser, customer)
    await page.getByRole('button', { name: m.legal_accept_button({}, said) }).click()
    await expect(page.getByText(m.legal_changed({}, said))).toBeHidden()
    const hostId = await order(page)
    await suspendAndResume(page, staff, hostId)
    await page.getByRole('button', { name: m.sales_withdraw({}, said), exact: true }).click()
    await page.getByRole('button', { name: m.sales_withdraw_confirm({}, said) }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByText(m.sales_withdrawn({}, said), { exact: true }).first()).toBeVisible()
    await page.context().close()
  } finally {
    await product.stop()
    remove()
  }
})

/** Orders a server with the required box ticked, which asks for the service to begin at once. Returns the id of the server. */
async function order(page: Page): Promise<string> {
  await page
    .getByRole('button', { name: m.licences_order_host({}, said) })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: m.licences_order_host({}, said) })
  await dialog.getByLabel(m.hosts_name({}, said), { exact: true }).fill('web-1')
  await dialog.getByLabel(m.hosts_ipv4({}, said)).fill(anyAddress())
  await dialog
    .getByRole('radio', { name: /^Standard/ })
    .first()
    .check()
  await dialog.getByLabel(m.sales_begin_now({}, said)).check()
  await dialog.getByRole('button', { name: /23[.,]68/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'web-1' })).toBeVisible()
  return must(new URL(page.url()).pathname.split('/').at(-1))
}

/** Suspends and resumes the server; the open page shows both without a reload. */
async function suspendAndResume(page: Page, { api }: Customer, hostId: string): Promise<void> {
  const reason = page.getByText(m.licences_suspended_abuse({}, said))
  const body = { reason: 'abuse', text: '', note: 'Report 17' } as const
  expect((await api.call(suspendHost, { params: { hostId }, body })).status).toBe(201)
  await expect(reason).toBeVisible()
  expect((await api.call(resumeHost, { params: { hostId }, query: { note: 'Cleaned' } })).status).toBe(200)
  await expect(reason).toBeHidden()
}

async function open(browser: Browser, { api, user_id, email }: Customer): Promise<Page> {
  const stored = {
    user: JSON.stringify({ id: user_id, display: email, email }),
    access_token: must(api.access_token),
    refresh_token: must(api.refresh_token),
    session_token: must(api.session_token),
    locale,
  }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const context = await browser.newContext({
    baseURL: api.url,
    locale: browserLocales[locale],
    storageState: { cookies: [], origins: [{ origin: api.url, localStorage }] },
  })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  await page.goto('/account/servers/list')
  return page
}

/** Makes a customer with money who accepted the previous terms, and a member of staff. */
async function people(url: string, dataDir: string, settings: Record<string, string>) {
  const ownerUrl = databaseOf(dataDir)
  const before = {
    ...settings,
    TERMS_VERSION: '1',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    DATABASE_URL: ownerUrl,
  }
  const app = await buildApp(loadConfig(before), { ownerUrl, log: createLog({ level: 'silent' }) })
  const given = { app, client: () => new Client(url) }
  try {
    await stockShop(given)
    const customer = await buyer(given, 10_000n, locale)
    const { user_id } = customer
    await transaction(app, 'system', (tx) =>
      tx
        .insertInto('acceptances')
        .values({ user_id, document: 'terms', version: '1', context: 'sign_up' })
        .execute(),
    )
    return { customer, staff: await signedInStaff(given) }
  } finally {
    await app.close()
  }
}
