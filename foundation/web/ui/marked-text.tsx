import { createContext, Fragment, memo, use } from 'react'
import type { ReactNode } from 'react'
import { blocksOf, type Block } from '#foundation/markup-blocks.ts'
import type { Span } from '#foundation/markup-spans.ts'

/**
 * A text with a small set of Markdown: bold, italic, struck, code, lists, quotes, links. The text becomes a tree, the tree becomes
 * elements; no step makes markup of text, so that no message can run code (rule 23). Everything else is shown as it was typed, with its blanks.
 * `words` shows the words between the marks, and none that are code, in another way.
 */
export const MarkedText = memo(function MarkedText({ text, words }: { text: string; words?: ShowWords }) {
  const shown = <MarkedBlocks blocks={blocksOf(text)} />
  return words ? <Shown value={words}>{shown}</Shown> : shown
})

type ShowWords = (words: string) => ReactNode
const Shown = createContext<ShowWords>((words) => words)

const Words = ({ text }: { text: string }) => use(Shown)(text)

/** Parts of a text that were read already. */
export const MarkedBlocks = ({ blocks: parts }: { blocks: readonly Block[] }) => (
  // One letter with a thousand marks is as wide as a page and has no place to break at.
  <div className="flex flex-col gap-2 overflow-x-clip text-sm [overflow-wrap:anywhere]">{blocks(parts)}</div>
)

function blocks(parts: readonly Block[]): ReactNode {
  return parts.map((part, index) => (
    // A sent text never changes: its parts keep their places.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{block(part)}</Fragment>
  ))
}

function block(part: Block): ReactNode {
  switch (part.kind) {
    case 'lines':
      return (
        <p dir="auto" className="whitespace-pre-wrap">
          {part.lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={index}>
              {index > 0 ? <br /> : null}
              <span>{inline(line)}</span>
            </Fragment>
          ))}
        </p>
      )
    case 'code':
      return (
        <pre
          className="max-w-full overflow-x-auto rounded-md bg-sunken px-3 py-2 font-mono text-xs"
          // The block can get the focus, because the keyboard scrolls the element with the focus, and a line of code may be wider than a
          // phone.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          <code>{part.text}</code>
        </pre>
      )
    case 'quote':
      return (
        <blockquote dir="auto" className="flex flex-col gap-2 border-l-2 border-line pl-3 text-muted">
          {blocks(part.blocks)}
        </blockquote>
      )
    default:
      return list(part)
  }
}

/** Each item of a numbered list has the number that was typed: dates begin like items. */
function list({ ordered, items }: Extract<Block, { kind: 'list' }>): ReactNode {
  const content = items.map(({ mark, blocks: inside }, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={index} dir="auto" value={ordered ? Number.parseInt(mark, 10) : undefined}>
      {blocks(inside)}
    </li>
  ))
  const looks = 'flex flex-col gap-1 pl-5'
  return ordered ? (
    <ol className={`list-decimal ${looks}`}>{content}</ol>
  ) : (
    <ul className={`list-disc ${looks}`}>{content}</ul>
  )
}

function inline(spans: readonly Span[]): ReactNode {
  return spans.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{span(part)}</Fragment>
  ))
}

function span(part: Span): ReactNode {
  switch (part.kind) {
    case 'strong':
      return <strong className="font-semibold">{inline(part.spans)}</strong>
    case 'em':
      return <em>{inline(part.spans)}</em>
    case 'del':
      return <del>{inline(part.spans)}</del>
    case 'code':
      return <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.85em]">{part.text}</code>
    case 'link':
      return link(part)
    default:
      return <Words text={part.text} />
  }
}

/**
 * A link leads out by http, https or mail and nowhere else; `javascript:` stays plain text. The target page gets no referrer. If the text
 * names another host than the link leads to, the real host is shown after it.
 */
function link({ href, label, raw, spans }: Extract<Span, { kind: 'link' }>): ReactNode {
  const url = safeUrl(href)
  if (!url) return raw
  return (
    <>
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        referrerPolicy="no-referrer"
        className="font-medium text-accent-text underline underline-offset-2"
      >
        {inline(spans)}
      </a>
      {claimsAnother(label, url) ? <span className="text-muted"> ({url.host})</span> : null}
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
