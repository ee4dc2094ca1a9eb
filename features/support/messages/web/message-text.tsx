import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { Fragment, memo } from 'react'
import type { ReactNode } from 'react'

/**
 * A message's text with a small set of Markdown: bold, italic, struck, code, lists, quotes, links. The lexer
 * makes a tree, the tree becomes elements; no step makes markup of text, so that no message can run code
 * (rule 23). All other Markdown (headings, tables, pictures, HTML) is shown as it was typed.
 */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
  return <div className="flex flex-col gap-2 text-sm [overflow-wrap:anywhere]">{blocks(lex(text), 0)}</div>
})

// Deeper than people write by hand; a thousand nested quotes must not overflow the stack, nor lists in lists the width.
const DEEPEST = { blocks: 5, spans: 12 }

function lex(text: string): readonly Token[] {
  try {
    return new Lexer({ gfm: true, breaks: true }).lex(text)
  } catch {
    return [{ type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] }]
  }
}

// The lexer makes tokens of other types only with extensions, and has none.
function marked(token: Token): MarkedToken
function marked(token: Token): Token {
  return token
}

function blocks(tokens: readonly Token[], depth: number): ReactNode {
  return tokens.map((token, index) => (
    // A sent text never changes: its parts keep their places.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{block(marked(token), depth)}</Fragment>
  ))
}

function block(token: MarkedToken, depth: number): ReactNode {
  if (depth > DEEPEST.blocks) return asTyped(token.raw)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return <p dir="auto">{inline(token.tokens, depth)}</p>
    case 'text':
      return token.tokens ? inline(token.tokens, depth) : token.text
    case 'code':
      return (
        <pre
          className="max-w-full overflow-x-auto rounded-md bg-sunken px-3 py-2 font-mono text-xs"
          // The block can get the focus, because the keyboard scrolls the element with the focus, and a line of code may be wider than a
          // phone.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return (
        <blockquote dir="auto" className="flex flex-col gap-2 border-l-2 border-line pl-3 text-muted">
          {blocks(token.tokens, depth + 1)}
        </blockquote>
      )
    case 'list':
      return list(token, depth)
    default:
      return asTyped(token.raw)
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number): ReactNode {
  const content = items.map((item, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={index} dir="auto">
      {blocks(item.tokens, depth + 1)}
    </li>
  ))
  const looks = 'flex flex-col gap-1 pl-5'
  return ordered ? (
    <ol start={start === '' ? 1 : start} className={`list-decimal ${looks}`}>
      {content}
    </ol>
  ) : (
    <ul className={`list-disc ${looks}`}>{content}</ul>
  )
}

function inline(tokens: readonly Token[], depth: number): ReactNode {
  return tokens.map((token, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{span(marked(token), depth)}</Fragment>
  ))
}

function span(token: MarkedToken, depth: number): ReactNode {
  if (depth > DEEPEST.spans) return token.raw
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inline(token.tokens, depth + 1)}</strong>
    case 'em':
      return <em>{inline(token.tokens, depth + 1)}</em>
    case 'del':
      return <del>{inline(token.tokens, depth + 1)}</del>
    case 'codespan':
      return <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.85em]">{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return link(token, depth)
    case 'escape':
      return token.text
    case 'text':
      return token.tokens ? inline(token.tokens, depth + 1) : token.text
    default:
      return token.raw
  }
}

/**
 * A link leads out by http, https or mail and nowhere else; `javascript:` stays plain text. The target page gets no referrer. If the text
 * names another host than the link leads to, the real host is shown after it.
 */
function link({ href, text, raw, tokens }: Tokens.Link, depth: number): ReactNode {
  const url = safeUrl(href)
  if (!url) return raw
  const shown = inline(tokens, depth + 1)
  return (
    <>
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        referrerPolicy="no-referrer"
        className="font-medium text-accent-text underline underline-offset-2"
      >
        {shown}
      </a>
      {claimsAnother(text, url) ? <span className="text-muted"> ({url.host})</span> : null}
    </>
  )
}

function safeUrl(href: string): URL | undefined {
  if (!URL.canParse(href)) return undefined
  const url = new URL(href)
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined
}

/**
 * True if the text of a link names another host than the link leads to, in any script and disguise. The text may name a host that ends like
 * the real one, contain invisible letters, or have a name before an @.
 */
function claimsAnother(text: string, { hostname, username, protocol }: URL): boolean {
  if (protocol === 'mailto:') return false
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll('\u3002', '.')
  const claimed = [...plain.matchAll(hostAndPath)].map(([, name = '']) => hostnameOf(name))
  return username !== '' || claimed.some((name) => withoutWww(name) !== withoutWww(hostname))
}

const hostAndPath = /([\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?/gu

const hostnameOf = (name: string): string =>
  URL.canParse(`https:${name}`) ? new URL(`https:${name}`).hostname : name

const withoutWww = (name: string): string => name.replace(/^www\./, '')

const asTyped = (raw: string): ReactNode => (
  <p dir="auto" className="whitespace-pre-wrap">
    {raw.trimEnd()}
  </p>
)
