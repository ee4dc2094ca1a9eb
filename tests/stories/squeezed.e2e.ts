import type { Page } from '@playwright/test'
import { anna, olivia, type Person } from '#app/seed/people.ts'
import { expect, test } from '#tests/harness/story.ts'
import { signIn } from './sign-in.ts'

const lists: readonly (readonly [Person, readonly string[]])[] = [
  [
    olivia,
    [
      'staff-transactions',
      'staff-invoices',
      'staff-customers',
      'staff-servers',
      'staff-tickets',
      'staff-audit',
      'staff-transfers',
    ],
  ],
  [anna, ['servers/list', 'finances', 'tickets']],
]

// Russian has the longest words for states and dates.
test.use({ locale: 'ru-RU' })

for (const [person, paths] of lists)
  test(`R-10 no text of a list is squeezed into a column of some letters: ${paths.join(', ')}`, async ({
    page,
  }) => {
    await signIn(page, person)
    for (const path of paths) {
      await page.goto(`/account/${path}`)
      await expect(page.locator('main :is(li, tbody tr)').first()).toBeVisible()
      for (const width of [768, 1024, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await squeezed(page), `${path} at ${width} px`).toEqual([])
        expect(await cutOff(page), `${path} at ${width} px`).toEqual([])
        expect(await shortened(page), `${path} at ${width} px`).toEqual([])
      }
    }
  })

/** Returns the texts with three lines or more in columns that are narrower than a long word (96 px). */
const squeezed = (page: Page): Promise<string[]> =>
  page.locator('main :is(li, tbody tr)').evaluateAll((rows) =>
    rows
      .flatMap((row) => [...row.querySelectorAll('p, time, a, bdi, span')])
      .filter((element) => {
        // A text in a cell of a table has the room of the cell.
        const { width } = (element.closest('[data-text] > div') ?? element).getBoundingClientRect()
        const lines =
          element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight)
        return width > 0 && width < 96 && lines > 2.5
      })
      .map(({ textContent }) => textContent),
  )

/** Returns the cells of tables that reach over the right edge of their table, where they are cut off. */
const cutOff = (page: Page): Promise<string[]> =>
  page.locator('main :is(th, td)').evaluateAll((cells) =>
    cells
      .filter((cell) => {
        const table = cell.closest('table')?.parentElement?.getBoundingClientRect()
        return table !== undefined && cell.getBoundingClientRect().right > table.right + 0.5
      })
      .map(({ textContent }) => textContent),
  )

/** Returns the texts of tables that end in dots after their first line, which a second line would have had room for. */
const shortened = (page: Page): Promise<string[]> =>
  page
    .locator('.data-table tbody :is(th, td, th *, td *)')
    .evaluateAll((parts) =>
      parts
        .filter(
          (part) => getComputedStyle(part).overflowX !== 'visible' && part.scrollWidth > part.clientWidth,
        )
        .map(({ textContent }) => textContent),
    )
