import { expect, test } from '#tests/harness/story.ts'
import { buildReference } from '#tools/reference/build.ts'

// The packages of the viewer are fetched once, which takes a minute.
test.setTimeout(400_000)

test('rule 27: the reference finds a call, leads to it by its address, and asks no other host', async ({
  page,
  baseURL,
}) => {
  await buildReference(process.cwd(), () => {})
  const foreign: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${baseURL}/`) && !/^(?:data|blob):/.test(url)) foreign.push(url)
  })
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text())
  })
  await page.goto('/api/docs/reference/')
  await page.getByText('Search', { exact: true }).first().click()
  await expect(page.locator('input:focus')).toBeVisible({ timeout: 60_000 })
  await page.keyboard.type('begin to top up')
  await page.getByText('Begin to top up the balance').first().click()
  await expect(page).toHaveURL(/#.*top-ups/, { timeout: 60_000 })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Begin to top up the balance' })).toBeVisible({
    timeout: 60_000,
  })
  expect([foreign, refused]).toEqual([[], []])
})
