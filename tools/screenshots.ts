import * as z from 'zod/mini'
import { chromium, type Page } from '@playwright/test'
import { anna, mikhail, olivia, type Person } from '#app/seed/people.ts'
import { chromiumFlags, ensureChromium } from './ensure-chromium.ts'

// Takes the pictures of docs/screenshots from a product that is running with its example people:
// `node tools/screenshots.ts http://localhost:3000`.
const origin = process.argv[2] ?? 'http://localhost:3000'
const wide = { width: 1280, height: 800 }
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags })

await take('server', anna, { width: 1280, height: 1400 }, async (page, read) => {
  const hosts = await read<{ id: string; connected: boolean }>('/api/hosts/')
  await page.goto(`/account/servers/host/${hosts.find(({ connected }) => connected)?.id}`)
})
await take('conversation', anna, wide, async (page, read) => {
  await page.goto(`/account/tickets/${await slowTicket(read)}`)
})
await take('desk', olivia, wide, async (page, read) => {
  await page.goto(`/account/staff-tickets/${await slowTicket((path) => read(`/api/staff${path.slice(4)}`))}`)
})
await take('customer', olivia, wide, async (page, read) => {
  const customers = await read<{ id: string; email: string }>('/api/staff/customers/?q=anna@example.com')
  await page.goto(`/account/staff-customers/${customers.find(({ email }) => email === anna.email)?.id}`)
})
await take('reports', olivia, wide, (page) => page.goto('/account/staff-reports?tab=figures'))
await take('plans', anna, { width: 1280, height: 900 }, (page) =>
  page.goto('/account/servers/list?act=order'),
)
await take('phone', mikhail, { width: 390, height: 780 }, (page) => page.goto('/account/servers/list'))
await take('statement', anna, wide, async (page) => {
  await page.goto('/account/finances?view=statement')
  await page.getByText('Signed statements').first().scrollIntoViewIfNeeded()
})
await take('shop', anna, wide, (page) => page.goto('/shop/en/server/'))
await take('help', anna, wide, (page) => page.goto('/help/en/'))
await browser.close()

type Read = <Item>(path: string) => Promise<Item[]>

/** Returns the id of the conversation with a picture in it. */
async function slowTicket(read: Read): Promise<string | undefined> {
  const tickets = await read<{ id: string; subject: string }>('/api/tickets/')
  return tickets.find(({ subject }) => subject.startsWith('Slow every night'))?.id
}

/** Saves the page in both themes, as NAME-light.png and NAME-dark.png. */
async function take(
  name: string,
  { email, password }: Person,
  viewport: { width: number; height: number },
  open: (page: Page, read: Read) => Promise<unknown>,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport,
    // A phone's scroll bar takes no room.
    isMobile: viewport.width < 640,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto('/account/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/servers/list')
  const headers = {
    Authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('access_token'))}`,
  }
  async function itemsOf<Item>(path: string): Promise<Item[]>
  async function itemsOf(path: string): Promise<unknown> {
    const reply = await page.request.get(path, { headers })
    return z.parse(z.object({ items: z.unknown() }), await reply.json()).items
  }
  await open(page, itemsOf)
  // In this time the toast about the sign-in goes, and pictures load. The network is never idle, since a page listens for events.
  await page.waitForTimeout(12_000)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // The charts are drawn anew in the other colours.
    await page.waitForTimeout(500)
    await page.screenshot({ path: `docs/screenshots/${name}-${colorScheme}.png` })
  }
  await context.close()
}
