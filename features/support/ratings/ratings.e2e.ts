import { expectAccessible } from '#tests/harness/accessible.ts'
import { expect, linkIn, readMail, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newAccount } from '#tests/stories/new-customer.ts'
import { ServerCalls } from '#tests/stories/server-calls.ts'
import { logIn, signIn } from '#tests/stories/sign-in.ts'
import { endWaitOfClosed } from '#tests/stories/story-database.ts'
import { olivia } from '#app/seed/people.ts'
import { m } from '#texts/messages.js'

test('the mail about a closed ticket leads a signed-out customer to the rating with the face chosen, and rates nothing by itself', async ({
  page,
  browser,
}) => {
  const { email, password } = await newAccount(page, 'en')
  const { access } = (await logIn(page, { email, password })).meta.access_token
  const { id } = await new ServerCalls(page, access).asks('How do I move my server?')
  const staff = await (await browser.newContext()).newPage()
  const token = await signIn(staff, olivia)
  await callApi(staff, 'POST', `/api/tickets/${id}/closure/`, { token })
  await endWaitOfClosed(id)
  const mail = await readMail(page, email, /rate=poor/)
  const ratingOf = () =>
    callApi<{ rating: unknown }>(page, 'GET', `/api/tickets/${id}/rating/`, { token: access })

  await page.goto(linkIn(mail, /rate=fair/))
  await page.getByLabel(m.auth_email(), { exact: true }).fill(email)
  await page.getByLabel(m.auth_password(), { exact: true }).fill(password)
  await page.getByRole('button', { name: m.auth_sign_in(), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: m.ratings_question() })
  await expect(dialog).toContainText(m.ratings_fair())
  await expectAccessible(page, 'the rating that a mail asks for')
  expect((await ratingOf()).rating, 'opening the link rates nothing').toBeNull()
  await dialog.getByLabel(m.ratings_word()).fill('It took a while.')
  await dialog.getByRole('button', { name: m.ratings_send() }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(`/account/tickets/${id}`)
  await expect(page.getByText(m.ratings_yours())).toBeVisible()
  expect((await ratingOf()).rating).toMatchObject({ face: 'fair', word: 'It took a while.' })

  await staff.goto(`/account/staff-tickets/${id}`)
  await expect(staff.getByText('It took a while.').first()).toBeVisible()
  await staff.context().close()
})
