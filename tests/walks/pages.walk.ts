import { locales } from '#foundation/locale.ts'
import { expect, test } from '#tests/harness/story.ts'
import { seenPages } from '#tests/stories/seen-pages.ts'
import { signIn } from '#tests/stories/sign-in.ts'
import { WIDE } from './judge.ts'
import { differingAddresses } from './differing-addresses.ts'
import { addWalk } from './openers.ts'
import { report } from './report.ts'
import { Walker } from './walker.ts'

test.use({ expectedComplaint: /./u })

test.setTimeout(1_200_000)

for (const locale of locales)
  for (const { person, pages, lists } of seenPages)
    for (const [width, size] of [
      ['wide', WIDE],
      ['narrow', { width: 390, height: 900 }],
    ] as const)
      for (const pattern of pages)
        test(`${locale} ${width} ${person.name} ${pattern}`, async ({ page }) => {
          await page.setViewportSize(size)
          await page.addInitScript((chosen) => localStorage.setItem('locale', chosen), locale)
          await page.addInitScript(addWalk)
          const token = await signIn(page, person)
          const addressesOf = await differingAddresses(page, token, lists)
          await page.route(/\/api\//u, (route) =>
            route.request().method() === 'GET' || /refresh|stream|preview/u.test(route.request().url())
              ? route.fallback()
              : route.abort(),
          )
          const walker = new Walker(page, { wholly: locale === 'en', withFrame: pattern === pages[0] })
          for (const address of addressesOf(pattern)) {
            await walker.walks(address)
            for (const tab of await walker.tabs()) await walker.walks(tab)
          }
          report.writes(walker.report)
          expect([...new Set(walker.report.faults)]).toEqual([])
        })
