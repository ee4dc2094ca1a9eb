import { must } from './must.ts'
import { spansOf, type Span } from './markup-spans.ts'

/**
 * A part of a text: lines as they were typed, code, a quote or a list. `ending` is false for code whose end was forgotten; `lines` of code are
 * all that is shown, with fences of tildes, which people also draw as lines.
 */
export type Block =
  | { kind: 'lines'; lines: readonly (readonly Span[])[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: readonly Block[] }
  | { kind: 'list'; ordered: boolean; items: readonly Item[] }
type Item = { mark: string; blocks: readonly Block[] }

// Deeper than people write by hand; what is nested deeper is shown as it was typed.
const DEEPEST = 5

/**
 * Reads a small set of Markdown: code between fences, quotes, lists of two items or more, and the marks within lines. Everything else
 * reads as it was written, to the last character: people paste logs, crontabs and paths (rule 55). With `origin` a link may name a page of that
 * installation by its path; without it links name whole addresses alone.
 */
export const blocksOf = (text: string, origin?: string): readonly Block[] =>
  read(text.split(/\r\n|\r|\n/u), { depth: 0, origin })

type Read = { block: Block; next: number } | undefined
type Within = { depth: number; origin: string | undefined }

function read(lines: readonly string[], within: Within): readonly Block[] {
  const blocks: Block[] = []
  const fences = lines.flatMap((line, at) => (/^ {0,3}(?:`{3,}|~{3,})\s*$/u.test(line) ? [at] : []))
  let typed: string[] = []
  const keep = () => {
    if (typed.length > 0)
      blocks.push({ kind: 'lines', lines: typed.map((line) => spansOf(line, within.origin)) })
    typed = []
  }
  for (let at = 0; at < lines.length;) {
    const line = must(lines[at])
    const found =
      within.depth > DEEPEST
        ? undefined
        : (code(lines, at, fences) ?? quote(lines, at, within) ?? list(lines, at, within))
    if (found || line.trim() === '') keep()
    else typed.push(line)
    if (found) blocks.push(found.block)
    at = found?.next ?? at + 1
  }
  keep()
  return blocks
}

// One word may follow the fence, the name of a language: `~~~ disk ~~~` is a line that somebody drew.
const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*[\w+#.-]{0,30}\s*$/u

/** Code ends with a fence like its first; without one, backticks reach to the end, and tildes are a line. */
function code(lines: readonly string[], at: number, fences: readonly number[]): Read {
  const [, indent = '', fence = ''] = FENCE.exec(must(lines[at])) ?? []
  if (fence === '') return undefined
  const end = fences.find((place) => place > at && must(lines[place]).trim().startsWith(fence))
  const isDrawn = fence.startsWith('~') || end === undefined
  if (end === undefined && fence.startsWith('~')) return undefined
  const next = end === undefined ? lines.length : end + 1
  const inside = isDrawn ? lines.slice(at, next) : lines.slice(at + 1, end)
  return {
    block: { kind: 'code', text: inside.map((line) => withoutIndent(line, indent.length)).join('\n') },
    next,
  }
}

/** A quote begins with `> `. A prompt such as `>>>` is text. */
function quote(lines: readonly string[], at: number, within: Within): Read {
  const next = firstAfter(lines, at, (line) => /^ {0,3}>(?: |$)/u.test(line))
  if (next === at) return undefined
  const inside = lines.slice(at, next).map((line) => line.replace(/^ {0,3}> ?/u, ''))
  if (inside.every((line) => line.trim() === '')) return undefined
  return { block: { kind: 'quote', blocks: read(inside, below(within)) }, next }
}

const ITEM = /^( {0,3})([-*]|(?:0|[1-9]\d{0,8})\.)([ \t]+)(?=\S)/u
// A mark after a mark (`* * * * * command`, `- - -`), and a line of a crontab that begins with an asterisk.
const NO_ITEM =
  /^ *\S+[ \t]+(?:[-*+]|\d+[.)])(?:\s|$)|^ *\*(?:[ \t]+[\d*][\d*/,-]*){2}(?:[ \t]+[\d*A-Z][\w*/,#-]*){2}[ \t]+\S/u

function itemOf(line: string): { kind: string; mark: string; width: number } | undefined {
  const [whole, , mark = ''] = (NO_ITEM.test(line) ? null : ITEM.exec(line)) ?? []
  return whole === undefined ? undefined : { kind: mark.slice(-1), mark, width: whole.length }
}

/** A list has two items or more of one kind; its items own the lines that are indented below them. */
function list(lines: readonly string[], at: number, within: Within): Read {
  const first = itemOf(must(lines[at]))
  if (!first) return undefined
  const items: { mark: string; lines: string[] }[] = []
  let next = at
  while (next < lines.length) {
    const item = itemOf(must(lines[next]))
    if (item?.kind !== first.kind) break
    const start = next + 1
    const end = firstAfter(
      lines,
      start,
      (line) =>
        /^(?: {2,}|\t)\s*\S/u.test(line) &&
        !(itemOf(line)?.kind === first.kind && indentOf(line) < item.width),
    )
    const under = lines.slice(start, end).map((line) => withoutIndent(line, item.width))
    items.push({ mark: item.mark, lines: [must(lines[next]).slice(item.width), ...under] })
    const blank = firstAfter(lines, end, (line) => line.trim() === '')
    next = blank < lines.length && itemOf(must(lines[blank]))?.kind === first.kind ? blank : end
  }
  if (items.length < 2) return undefined
  const read_ = items.map(({ mark, lines: own }) => ({ mark, blocks: read(own, below(within)) }))
  return { block: { kind: 'list', ordered: first.kind === '.', items: read_ }, next }
}

const below = ({ depth, origin }: Within): Within => ({ depth: depth + 1, origin })

const indentOf = (line: string): number => /^\s*/u.exec(line)?.[0].length ?? 0

function firstAfter(lines: readonly string[], from: number, is: (line: string) => boolean): number {
  let at = from
  while (at < lines.length && is(must(lines[at]))) at += 1
  return at
}

const withoutIndent = (line: string, most: number): string =>
  line.replace(new RegExp(`^[ \\t]{0,${most}}`, 'u'), '')
