import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { customerAndStaff, sayByCall } from '#tests/stories/two-people.ts'
import { m } from '#texts/messages.js'

const PASSWORD = 'Xk9-Quay-77-Lantern'

test('a password goes as a secret that staff open once; what was said in the open is removed for good on both sides', async ({
  browser,
}) => {
  const { customer, staff, ticket, close } = await customerAndStaff(browser)
  const [hers, ours] = [customer.page, staff.page]
  await hers.goto(`/account/tickets/${ticket.id}`)
  await ours.goto(`/account/staff-tickets/${ticket.id}`)

  await test.step('the field offers a secret for what looks like a password', async () => {
    await hers
      .getByRole('textbox', { name: m.messages_write(), exact: true })
      .fill(`The password is ${PASSWORD}`)
    const offer = hers.getByRole('status').filter({ hasText: m.messages_secret_offer() })
    await offer.getByRole('button', { name: m.messages_secret_send() }).click()
    const dialog = hers.getByRole('dialog', { name: m.messages_secret_title() })
    await expect(dialog.getByLabel(m.messages_secret_field(), { exact: true })).toHaveValue(PASSWORD)
    await expectAccessible(hers, 'sending a secret')
    await dialog.getByRole('button', { name: m.messages_secret_act() }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('staff open it once, and its author reads that at once', async () => {
    await expect(ours.getByText(PASSWORD)).toHaveCount(0)
    await ours.getByRole('button', { name: m.messages_secret_open() }).click()
    await expect(ours.getByText(PASSWORD, { exact: true })).toBeVisible()
    await expect(hers.getByText(/^The other side opened the secret/)).toBeVisible()
    await ours.reload()
    await expect(ours.getByText(/^Secret opened/)).toBeVisible()
    await expect(ours.getByText(PASSWORD)).toHaveCount(0)
  })

  await test.step('staff remove a message, and neither side reads it any more', async () => {
    await sayByCall(customer, ticket, 'The old one was Rosebud-1941.')
    await expect(ours.getByText('Rosebud-1941')).toBeVisible()
    await ours.getByRole('button', { name: m.messages_acts() }).last().click()
    await ours.getByRole('menuitem', { name: m.messages_remove() }).click()
    const dialog = ours.getByRole('dialog', { name: m.messages_remove_title() })
    await dialog.getByRole('button', { name: m.messages_remove_for_good() }).click()
    for (const page of [ours, hers]) {
      await expect(page.getByText('Rosebud-1941')).toHaveCount(0)
      await expect(page.getByText(/^Removed by Olivia/)).toBeVisible()
    }
  })
  await close()
})

test('the rest of a conversation is split off, and merged back with an undo', async ({ browser }) => {
  const { customer, staff, ticket, close } = await customerAndStaff(browser)
  const [hers, ours] = [customer.page, staff.page]
  await sayByCall(customer, ticket, 'And something else: the invoice lacks my name.')
  await ours.goto(`/account/staff-tickets/${ticket.id}`)
  await expect(ours.getByText('something else')).toBeVisible()
  await ours.getByRole('button', { name: m.messages_acts() }).last().click()
  await ours.getByRole('menuitem', { name: m.messages_split() }).click()
  const split = ours.getByRole('dialog', { name: m.messages_split_title() })
  await split.getByLabel(m.messages_split_subject(), { exact: true }).fill('Name on the invoice')
  await expectAccessible(ours, 'splitting off')
  await split.getByRole('button', { name: m.messages_split_act() }).click()
  await expect(ours.getByRole('heading', { level: 1, name: 'Name on the invoice' })).toBeVisible()
  await expect(ours.getByText('the invoice lacks my name').first()).toBeVisible()
  await hers.goto('/account/tickets')
  await expect(hers.getByRole('link', { name: /Name on the invoice/ })).toBeVisible()

  await ours.getByRole('button', { name: m.desk_more(), exact: true }).click()
  await ours.getByRole('menuitem', { name: m.desk_merge() }).click()
  const merge = ours.getByRole('dialog')
  await merge.getByLabel(m.desk_merge_number(), { exact: true }).fill(`#${ticket.number}`)
  await merge.getByRole('button', { name: m.desk_merge_act(), exact: true }).click()
  await expect(ours.getByRole('heading', { level: 1, name: ticket.subject })).toBeVisible()
  await ours.getByText(/^Conversation of ticket #/).click()
  await expect(ours.getByText('the invoice lacks my name').first()).toBeVisible()
  await expectAccessible(ours, 'a ticket with another one in it')

  await hers.getByRole('link', { name: m.tickets_tab_closed(), exact: true }).click()
  await hers.getByRole('link', { name: /Name on the invoice/ }).click()
  await expect(hers.getByText(m.messages_merged_into({ number: String(ticket.number) }))).toBeVisible()

  await ours.goto(new URL(hers.url()).pathname.replace('/tickets/', '/staff-tickets/'))
  await ours.getByRole('button', { name: m.messages_undo_merge() }).click()
  await expect(ours.getByRole('button', { name: m.messages_close(), exact: true })).toBeVisible()
  await expect(hers.getByRole('textbox', { name: m.messages_write(), exact: true })).toBeVisible()
  const { status } = await callApi<{ status: string }>(hers, 'GET', `/api/tickets/${ticket.id}/`, {
    token: customer.token,
  })
  expect(status).not.toBe('closed')
  await close()
})
