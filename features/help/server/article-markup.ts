import { partsOf } from '#features/help/rules.ts'
import type { Block } from '#foundation/markup-blocks.ts'
import type { Span } from '#foundation/markup-spans.ts'
import { html, type Html } from '#foundation/server/http/html.ts'

/** Makes markup of an article. Each letter that staff typed is escaped on its way, and a link leads out by http, https or mail only (rule 23). */
export const articleMarkup = (text: string, origin: string): readonly Html[] =>
  partsOf(text, origin).flatMap((part) => {
    if ('blocks' in part) return blocks(part.blocks)
    return part.level === 2 ? [html`<h2>${part.heading}</h2>`] : [html`<h3>${part.heading}</h3>`]
  })

const blocks = (parts: readonly Block[]): readonly Html[] => parts.map(block)

function block(part: Block): Html {
  switch (part.kind) {
    case 'lines':
      return html`<p>${part.lines.map((line, place) => html`${place > 0 && html`<br />`}${spans(line)}`)}</p>`
    case 'code':
      return html`<pre tabindex="0"><code>${part.text}</code></pre>`
    case 'quote':
      return html`<blockquote>${blocks(part.blocks)}</blockquote>`
    default:
      return list(part)
  }
}

function list({ ordered, items }: Extract<Block, { kind: 'list' }>): Html {
  const inside = items.map(({ blocks: own }) => html`<li>${blocks(own)}</li>`)
  return ordered
    ? html`<ol>
        ${inside}
      </ol>`
    : html`<ul>
        ${inside}
      </ul>`
}

const spans = (parts: readonly Span[]): readonly Html[] => parts.map(span)

function span(part: Span): Html {
  switch (part.kind) {
    case 'strong':
      return html`<strong>${spans(part.spans)}</strong>`
    case 'em':
      return html`<em>${spans(part.spans)}</em>`
    case 'del':
      return html`<del>${spans(part.spans)}</del>`
    case 'code':
      return html`<code>${part.text}</code>`
    case 'link':
      return html`<a href="${part.href}">${spans(part.spans)}</a>`
    default:
      return html`${part.text}`
  }
}
