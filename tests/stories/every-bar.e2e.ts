import type { Browser, Page } from '@playwright/test'
import { olivia } from '#app/seed/people.ts'
import { expect, test } from '#tests/harness/story.ts'
import { callApi } from './call-api.ts'
import { newCustomer } from './new-customer.ts'
import { anyAddress, ServerCalls } from './server-calls.ts'
import { signIn } from './sign-in.ts'
import { sayByCall } from './two-people.ts'

const words = (count: number) => Array.from({ length: count }, (_, at) => `Word${at}`).join(' ')
const LAST = 'It is as slow as before.'

// A notice once pushed the button that sends below the window: the height of a chat was counted from the window, not from its room.
test('R-04 a ticket has its field, its button and its last message in view under every bar at once', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000)
  const owner = await newCustomer(page, 'en', 'all-bars')
  const ticket = await new ServerCalls(page, owner.token).asks('Slow every night since the move', words(300))
  const side = { context: page.context(), page, token: owner.token }
  await sayByCall(side, ticket, LAST)

  const staff = await enter(browser, (tab) => signIn(tab, olivia))
  const colleague = await enter(browser, async (tab) => {
    const { email, token } = await newCustomer(tab, 'en', 'helper')
    const grant = { email, role: 'technical', all_hosts: true }
    await callApi(tab, 'POST', '/api/sharing/grants/', { token: owner.token, data: grant })
    return token
  })
  const received = '/api/sharing/grants/?side=received'
  type Grants = { items: { id: string; account: { id: string; name: string } }[] }
  const { items } = await callApi<Grants>(page, 'GET', received, colleague)
  const [grant] = items
  await callApi(page, 'POST', `/api/sharing/grants/${grant?.id}/acceptance/`, colleague)
  const shown = [anyAddress(), anyAddress()] as const
  await new ServerCalls(page, owner.token).adds('theirs', shown[0])
  await new ServerCalls(page, colleague.token).adds('own', shown[1])
  await announce(staff, shown)
  const message = `Unpaid: ${words(40)}`
  const block = { level: 'blocked', cause: 'payment', reason: 'A story', message }
  const customers = '/api/staff/customers'
  await callApi(page, 'PUT', `${customers}/${await colleague.id()}/block/`, { ...staff, data: block })
  await keep(colleague.tab, { ...grant?.account, role: 'technical' })
  await colleague.tab.goto(`/account/tickets/${ticket.id}`)
  await expect(colleague.tab.getByRole('button', { name: 'Back to my account' })).toBeAttached()
  for (const bar of [message, /Rack 7/]) await expect(colleague.tab.getByText(bar).first()).toBeAttached()
  await expectWholeChat(colleague.tab)

  const viewed = `${customers}/${grant?.account.id}/views/`
  const view = await callApi<object>(page, 'POST', viewed, { ...staff, data: { reason: 'A story' } })
  await staff.tab.goto(`/account/staff-tickets/${ticket.id}`)
  await expectWholeChat(staff.tab)
  await keep(staff.tab, { ...view, user_id: grant?.account.id, name: 'Viola' })
  await staff.tab.goto(`/account/tickets/${ticket.id}`)
  await expect(staff.tab.getByRole('button', { name: 'End view' })).toBeVisible()
  await expectWholeChat(staff.tab, { attached: true })
  await Promise.all([colleague, staff].map(({ tab }) => tab.context().close()))
})

async function enter(browser: Browser, signing: (tab: Page) => Promise<string>) {
  const tab = await (await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })).newPage()
  const token = await signing(tab)
  const id = async () => {
    await tab.goto('/account/')
    return tab.evaluate(() => (JSON.parse(localStorage.getItem('user') ?? '{}') as { id: string }).id)
  }
  return { tab, token, id }
}

/** Publishes a notice for the owners of servers with these addresses. */
async function announce({ tab, token }: { tab: Page; token: string }, hosts: readonly string[]) {
  const said = (text: string) => ({ en: text, de: text, ru: text })
  const data = { kind: 'incident', title: said('Rack 7'), text: said(words(20)), scope: { hosts } }
  const list = '/api/staff/announcements/'
  type Draft = { id: string; version: string }
  const { id, version } = await callApi<Draft>(tab, 'POST', list, { token, data })
  const headers = { 'Idempotency-Key': `story-${id}` }
  await callApi(tab, 'POST', `${list}${id}/publication/`, { token, headers, data: { version } })
}

/** Makes the tab show another account, as the buttons do that enter it. */
const keep = (tab: Page, account: object) =>
  tab.addInitScript((kept) => sessionStorage.setItem('view', kept), JSON.stringify(account))

/** Attaches as many files as a message may have, and looks at the chat in a window of each size; the lowest is a phone's with its keyboard. */
async function expectWholeChat(tab: Page, { attached = false } = {}): Promise<void> {
  const files = Array.from({ length: 10 }, (_, at) => ({
    name: `log-${at}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`all is well ${at}`),
  }))
  // The list follows its end once it has been told of the scrolling, a frame later.
  await tab.getByRole('log').evaluate(async (list) => {
    list.scrollTo(0, list.scrollHeight)
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  })
  if (!attached) await tab.locator('input[type=file]').setInputFiles(files)
  await expect(tab.getByRole('button', { name: /^Remove/ })).toHaveCount(10)
  for (const [width, height] of [
    [1280, 800],
    [1024, 600],
    [390, 844],
    [390, 420],
  ] as const) {
    await tab.setViewportSize({ width, height })
    const parts = [
      tab.getByRole('textbox', { name: /^Write/ }),
      tab.getByRole('button', { name: 'Send' }),
      tab.getByText(LAST),
    ]
    for (const part of parts) await expect(part, `at ${width}x${height}`).toBeInViewport({ ratio: 0.99 })
    await expect.poll(() => seen(tab), `at ${width}x${height}`).toEqual([true, true, true])
  }
}

/** Tells for the field, the button and the last message that nothing lies over them. */
const seen = (tab: Page): Promise<boolean[]> =>
  tab.evaluate((last) => {
    const button = [...document.querySelectorAll('[data-composer] button')].at(-1)
    const words = [...document.querySelectorAll('[role=log] span')].find(
      ({ textContent }) => textContent === last,
    )
    return [document.querySelector('[data-composer] textarea'), button, words].map((element) => {
      const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
      const over = document.elementFromPoint(left + width / 2, top + height / 2)
      return over !== null && (element === over || element?.contains(over) === true)
    })
  }, LAST)
