import { expectAccessibleEverywhere } from '#tests/harness/accessible.ts'
import { expect, test } from '#tests/harness/story.ts'

// `expectAccessibleEverywhere` judges colours once, and again only if a width or theme changes them: it must notice each kind of change.
const changes = {
  'the letters in one theme from a width on':
    '@media (prefers-color-scheme: dark) and (min-width: 700px) { p { color: #333 } }',
  'the ground of an ancestor between two widths':
    '@media (min-width: 700px) and (max-width: 900px) { main { background: #777 } }',
  'a text that only a wide window shows':
    'p { display: none; color: #bbb } @media (min-width: 1000px) { p { display: block } }',
  'the size of letters':
    'p { color: #888; font-size: 30px } @media (min-width: 700px) { p { font-size: 16px } }',
  'a place over another ground':
    'div { position: absolute; inset: 0 auto auto 0 } @media (min-width: 1000px) { div { top: 300px } }',
  'another ground that slides behind':
    '@media (min-width: 1000px) { aside { top: 0; width: 900px; z-index: -1 } }',
  'the ground around letters that were good on the page before':
    'main { background: #ddd } p { color: #767676 }',
}

const at = [360, 768, 1280] as const

test('a colour that a width or a theme spoils is found', async ({ page }) => {
  for (const style of ['', 'p { color: #767676 }']) {
    await page.setContent(pageWith(style))
    await expectAccessibleEverywhere(page, 'as it should be', { at })
  }
  for (const [change, style] of Object.entries(changes)) {
    await page.setContent(pageWith(style))
    await expect(expectAccessibleEverywhere(page, change, { at }), change).rejects.toThrow('color-contrast')
  }
})

const pageWith = (style: string) => `<!doctype html>
<html lang="en"><head><title>Colours</title><style>
  body { margin: 0; background: #fff; color: #000 }
  aside { position: absolute; top: 250px; width: 200px; height: 200px; background: #111 }
  @media (prefers-color-scheme: dark) { body { background: #000; color: #fff } aside { background: #eee } }
  ${style}
</style></head>
<body><aside></aside><main><h1>Colours</h1><p>Something to read</p><div>Something over another</div></main>
<script type="module">
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const show = () => { document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light' }
  dark.addEventListener('change', show)
  show()
</script></body></html>`
