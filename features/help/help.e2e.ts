import { deleteHelpArticle } from '#features/help/staff-contract.ts'
import { olivia } from '#app/seed/people.ts'
import { expectAccessible } from '#tests/harness/accessible.ts'
import { browserLocales, expect, test } from '#tests/harness/story.ts'
import { callApi } from '#tests/stories/call-api.ts'
import { newCustomer } from '#tests/stories/new-customer.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { m } from '#texts/messages.js'

const de = { locale: 'de' } as const
const articleTitle = 'Ein Server ist nicht verbunden'

test.describe('without a script, in German', () => {
  test.use({ javaScriptEnabled: false, locale: browserLocales.de })

  test('a visitor finds an article by a word of its own, reads it, and votes once', async ({ page }) => {
    await page.goto('/help/')
    await expect(page.getByRole('heading', { level: 1, name: m.help_title({}, de) })).toBeVisible()
    await page.getByRole('searchbox', { name: m.help_search({}, de) }).fill('Verbindung verloren')
    await page.getByRole('button', { name: m.help_find({}, de), exact: true }).click()
    await expect(
      page.getByRole('heading', { level: 1, name: m.help_found({ typed: 'Verbindung verloren' }, de) }),
    ).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: articleTitle }).click()
    await expect(page.getByRole('heading', { level: 1, name: articleTitle })).toBeVisible()
    await expect(page.getByRole('article')).toContainText('sudo systemctl restart hostdesk-agent')
    await page.getByRole('button', { name: m.help_vote_yes({}, de), exact: true }).click()
    const thanks = page.getByText(m.help_vote_thanks({}, de))
    await expect(thanks).toBeVisible()
    await page.reload()
    await expect(thanks, 'the browser keeps that it has voted').toBeVisible()
    await expect(page.getByRole('button', { name: m.help_vote_yes({}, de), exact: true })).toHaveCount(0)
  })
})

test('a customer who writes a ticket is offered the article, and their words stay while they read it', async ({
  page,
}) => {
  await newCustomer(page, 'en')
  await page.goto('/account/tickets')
  await page.getByRole('button', { name: m.tickets_new() }).first().click()
  const dialog = page.getByRole('dialog', { name: m.tickets_new() })
  await dialog.getByLabel(m.tickets_subject(), { exact: true }).fill('My server is not connected any more')
  const offered = dialog
    .getByRole('list', { name: m.help_suggested() })
    .getByRole('link', { name: 'A server is not connected' })
  await expect(offered).toBeVisible()
  await expectAccessible(page, 'a new ticket with articles')
  const opens = page.waitForEvent('popup')
  await offered.press('Enter')
  const article = await opens
  await expect(article.getByRole('heading', { level: 1, name: 'A server is not connected' })).toBeVisible()
  await article.close()
  await expect(dialog.getByLabel(m.tickets_subject(), { exact: true })).toHaveValue(
    'My server is not connected any more',
  )
})

test('staff write an article, look at it, publish it twice, and go back to the first version', async ({
  page,
}) => {
  const token = await signIn(page, olivia)
  const word = `zebra${Date.now().toString(36)}`
  await page.goto('/account/staff-help')
  await page.getByRole('button', { name: m.help_article_new() }).click()
  const dialog = page.getByRole('dialog', { name: m.help_article_new() })
  await dialog.getByLabel(m.help_title_in({ language: 'English' })).fill(`About the ${word}`)
  await dialog.getByLabel(m.help_slug(), { exact: true }).fill(word)
  await dialog.getByRole('button', { name: m.help_article_write() }).click()
  await expect(page.getByRole('heading', { level: 1, name: `About the ${word}` })).toBeVisible()

  const text = page.getByRole('textbox', { name: m.help_article_text(), exact: true })
  const publishes = async (words: string) => {
    await text.fill(words)
    await page.getByRole('button', { name: m.ui_save(), exact: true }).click()
    await expect(page.getByRole('region', { name: m.ui_unsaved() })).toBeHidden()
    await page.getByRole('button', { name: m.help_publish(), exact: true }).click()
    await expect(page.getByRole('button', { name: m.help_publish(), exact: true })).toHaveCount(0)
  }
  const read = async (says: string) => {
    const public_page = await page.context().newPage()
    await public_page.goto(`/help/?q=${word}`)
    await public_page
      .getByRole('main')
      .getByRole('link', { name: `About the ${word}` })
      .click()
    await expect(public_page.getByRole('article')).toContainText(says)
    await public_page.close()
  }
  await text.fill(`## How it works\n\nThe **first** words.`)
  await page.getByRole('button', { name: m.help_preview(), exact: true }).click()
  const preview = page.getByRole('region', { name: m.help_preview() })
  await expect(preview.getByRole('heading', { name: 'How it works' })).toBeVisible()
  await expect(preview.locator('strong')).toHaveText('first')
  await expectAccessible(page, 'an article with its preview')
  await page.getByRole('button', { name: m.help_write(), exact: true }).click()
  await publishes('The first words.')
  await read('The first words.')
  await publishes('Other words.')
  await read('Other words.')

  await page.getByRole('button', { name: m.help_versions(), exact: true }).click()
  const versions = page.getByRole('dialog', { name: m.help_versions() })
  await versions
    .getByRole('listitem')
    .filter({ hasText: m.help_version({ number: 1 }) })
    .getByRole('button', { name: m.help_version_take() })
    .click()
  await expect(text).toHaveValue('The first words.')
  await expect(page.getByText(m.help_state_changed())).toBeVisible()
  await read('Other words.')
  await page.getByRole('button', { name: m.help_publish(), exact: true }).click()
  await expect(page.getByText(m.help_state_changed())).toBeHidden()
  await read('The first words.')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await callApi(page, 'DELETE', deleteHelpArticle.path.replace('{articleId}', id), { token })
})
