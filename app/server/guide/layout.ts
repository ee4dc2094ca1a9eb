import { addressOf, guidePages, type GuidePage } from './pages.ts'
import { escape, renderGuide } from './markdown.ts'

type Place = { origin: string; name: string; accent: boolean }

/** Returns a page of the guide as HTML that needs no script. */
export function guideHtml(page: GuidePage, { origin, name, accent }: Place): string {
  const { html, title, sections } = renderGuide(page.file, origin)
  const contents = guidePages.map((one) => {
    const isThis = one.slug === page.slug
    const parts = sections.map((part) => `<li><a href="#${part.id}">${escape(part.title)}</a></li>`).join('')
    const inner = isThis && parts !== '' ? `<ul>${parts}</ul>` : ''
    return `<li><a href="${addressOf(one)}"${isThis ? ' aria-current="page"' : ''}>${escape(one.title)}</a>${inner}</li>`
  })
  const place = guidePages.findIndex(({ slug }) => slug === page.slug)
  const [before, after] = [guidePages[place - 1], guidePages[place + 1]]
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)} – ${escape(name)} API</title>
<link rel="stylesheet" href="/api/docs/guide.css">${accent ? '<link rel="stylesheet" href="/account/operator.css">' : ''}
<script src="/api/docs/guide.js"></script></head><body>
<a class="skip" href="#content">To the content</a>
<header class="top"><a class="name" href="/api/docs/">${escape(name)} API</a>
<a class="more" href="/api/docs/reference/">Reference</a><a class="more rare" href="/api/openapi.json">openapi.json</a>
<a class="more" href="/account/">Account</a></header>
<div class="frame"><nav class="pages" aria-label="Guide"><details open><summary>Contents: ${escape(page.title)}</summary>
<ul>${contents.join('')}<li><a href="/api/docs/reference/">Reference</a></li></ul></details></nav>
<main id="content">${html}<nav class="next" aria-label="Neighbours">${neighbour(before, 'Back')}${neighbour(after, 'Next')}</nav></main></div>
</body></html>`
}

const neighbour = (page: GuidePage | undefined, word: string): string =>
  page ? `<a href="${addressOf(page)}">${word}: ${escape(page.title)}</a>` : '<span></span>'
