import { readFile } from 'node:fs/promises'
import { expect, test } from '#tests/harness/story.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { anna } from '#app/seed/people.ts'
import { m } from '#texts/messages.js'

const options = { locale: 'en' } as const
test.use({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })

test('Anna checks two statements and an invoice by dropping them, and each of 200 changed bytes is seen', async ({
  page,
}) => {
  await signIn(page, anna)
  await page.goto('/account/finances?view=statement')
  const list = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'JSON' }) })
  await expect(list).toHaveCount(3)
  const saved = async (row: number, name: 'PDF' | 'JSON') => {
    const coming = page.waitForEvent('download')
    await list.nth(row).getByRole('button', { name }).click()
    return readFile(await (await coming).path())
  }
  const [pdf, json, before] = [await saved(0, 'PDF'), await saved(0, 'JSON'), await saved(1, 'JSON')]
  const drop = (files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.getByLabel(m.statements_choose({}, options)).and(page.locator('input')).setInputFiles(files)
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })
  const summary = (good: number, all: number) =>
    expect(page.getByText(m.statements_summary({ good, all }, options))).toBeVisible({ timeout: 30_000 })

  await drop([file('now.pdf', pdf), file('now.json', json), file('before.json', before)])
  await summary(3, 3)
  await expect(page.getByText('Follows the statement of').first()).toBeVisible()

  const changed = [pdf, json].flatMap((whole, kind) =>
    Array.from({ length: 100 }, (_, count) => {
      const copy = Buffer.from(whole)
      const at = Math.floor((count + Math.random()) * (whole.length / 100))
      copy[at] = ((copy[at] ?? 0) + 1 + Math.floor(Math.random() * 255)) % 256
      return file(`${kind === 0 ? 'pdf' : 'json'}-${at}`, copy)
    }),
  )
  await drop(changed)
  await summary(0, 200)
  await expect(page.getByText(m.statements_refused({}, options), { exact: true })).toHaveCount(200)
})
