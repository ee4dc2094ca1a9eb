import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { customerAndStaff, sayByCall } from '#tests/stories/two-people.ts'
import { m } from '#texts/messages.js'

test('the bell of a customer rings at once for a reply, and is read by opening the ticket, by keys alone on a phone', async ({
  browser,
}) => {
  const { customer, staff, ticket, close } = await customerAndStaff(browser)
  const { page } = customer
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/account/servers/list')
  const bell = (count: number) =>
    page.getByRole('button', {
      name: count === 0 ? m.notifications_bell() : m.notifications_bell_unread({ count }),
      exact: true,
    })
  await expect(bell(0)).toBeVisible()
  await sayByCall(staff, ticket, 'We are looking into it.')
  await sayByCall(staff, ticket, 'It is done.')
  await expect(bell(1)).toBeVisible()
  await bell(1).press('Enter')
  const panel = page.getByRole('dialog', { name: m.notifications_bell() })
  const item = panel.getByRole('link', {
    name: m.notifications_reply({ number: String(ticket.number), count: 2 }),
  })
  await expect(item).toContainText(m.notifications_unread())
  await expectAccessible(page, 'the bell')
  await item.press('Enter')
  await expect(page).toHaveURL(`/account/tickets/${ticket.id}`)
  await expect(bell(0)).toBeVisible()
  await expect(panel).toHaveCount(0)
  await bell(0).press('Enter')
  await expect(item).not.toContainText(m.notifications_unread())
  await page.keyboard.press('Escape')
  await expect(bell(0)).toBeFocused()

  await page.goto('/account/settings/account')
  await page.getByRole('button', { name: m.notifications_choose() }).press('Enter')
  const choices = page.getByRole('dialog', { name: m.notifications_choose_title() })
  const inBell = choices.getByRole('region', { name: m.notifications_in_bell() })
  const replies = inBell.getByRole('switch', { name: m.notifications_kind_reply() })
  await replies.press('Space')
  await expect(replies).not.toBeChecked()
  await expectAccessible(page, 'the choices')
  // The policy of the pages lets the worker stand, under the one name that the pages use.
  expect(await page.evaluate(REGISTERED)).toMatch(/\/account\/push\/$/)
  await sayByCall(staff, ticket, 'Anything else?')
  await expect(bell(0)).toBeVisible()
  await close()
})

const REGISTERED = `(async () => {
  const policy = trustedTypes.createPolicy('push-worker', { createScriptURL: () => '/account/push/worker.js' })
  return (await navigator.serviceWorker.register(policy.createScriptURL(''), { scope: '/account/push/' })).scope
})()`
