import path from 'node:path'
import { Marked, type Tokens } from 'marked'
import { addressOf, guidePages, readDoc } from './pages.ts'

type Rendered = { html: string; title: string; sections: { id: string; title: string }[] }

const languages: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', py: 'Python', go: 'Go' }

/** The origin that our own examples name; a page shows that of the installation. */
const EXAMPLE_ORIGIN = 'https://account.example.com'

/**
 * Renders a page of the guide. Its Markdown is our own file, so that its markup needs no cleaning. A paragraph of nothing but links to
 * snippets becomes the snippets, one behind a tab for each language.
 */
export function renderGuide(file: string, origin: string): Rendered {
  const sections: Rendered['sections'] = []
  let title = ''
  let groups = 0
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) {
          title = text
          return `<h1>${inner}</h1>`
        }
        const id = text
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '-')
          .replaceAll(/^-|-$/g, '')
        if (depth === 2) sections.push({ id, title: text })
        return `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>`
      },
      paragraph({ tokens }) {
        const snippets = snippetsIn(tokens)
        if (snippets.length > 0) return tabs(snippets, `s${(groups += 1)}`, origin)
        return `<p>${this.parser.parseInline(tokens)}</p>`
      },
      code: ({ text }) => codeOf(text, origin),
      link({ href, tokens }) {
        return `<a href="${escape(linkOf(href, file))}">${this.parser.parseInline(tokens)}</a>`
      },
      table(table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const head = row(table.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')
        const rows = table.rows.map((cells) => row(cells, 'td')).join('')
        return `<div class="wide" tabindex="0"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>`
      },
    },
  })
  const html = marked.parse(readDoc(file), { async: false })
  return { html, title, sections }
}

/** Returns the files of a paragraph that has nothing but links to snippets. */
function snippetsIn(tokens: readonly Tokens.Generic[]): string[] {
  const links = tokens.flatMap(({ type, href }) =>
    type === 'link' && typeof href === 'string' ? [href] : [],
  )
  const isOnlyLinks = tokens.every(({ type, raw }) => type === 'link' || /^[\s·]*$/.test(raw))
  return isOnlyLinks && links.every((href) => href.startsWith('snippets/')) ? links : []
}

function tabs(files: readonly string[], group: string, origin: string): string {
  const parts = files.map((file, place) => {
    const language = path.extname(file).slice(1)
    const id = `${group}-${language}`
    const input = `<input type="radio" name="${group}" id="${id}" value="${language}"${place === 0 ? ' checked' : ''}>`
    return `${input}<label for="${id}">${languages[language] ?? language}</label>${codeOf(readDoc(`api/${file}`), origin)}`
  })
  return `<fieldset class="tabs" aria-label="Language of the example">${parts.join('')}</fieldset>`
}

const codeOf = (text: string, origin: string): string =>
  `<div class="code"><pre tabindex="0"><code>${escape(text.trimEnd().replaceAll(EXAMPLE_ORIGIN, origin))}</code></pre></div>`

/**
 * Returns the address for a link of a page to another file: that of the page, or where the installation serves the files of the agent. A
 * link to an address stays as it is.
 */
function linkOf(href: string, from: string): string {
  const [file = '', anchor] = href.split('#')
  if (file === '' || /^(?:[a-z]+:|\/)/.test(file)) return href
  const at = path.posix.join('docs', path.posix.dirname(from), file)
  const known = guidePages.find((page) => path.posix.join('docs', page.file) === at)
  return (known ? addressOf(known) : `/${at}`) + (anchor === undefined ? '' : `#${anchor}`)
}

export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
