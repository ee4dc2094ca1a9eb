import { placeOf, safeAddress, withoutEnd } from './markup-addresses.ts'
import { must } from './must.ts'

/**
 * Part of a line: what was typed as a mark on purpose is a mark, everything else is text. The text between two marks is never lost, and
 * neither are marks without a partner.
 */
export type Span =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'em' | 'del'; spans: readonly Span[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; raw: string; href: string; label: string; spans: readonly Span[] }

// Deeper than people write by hand.
const DEEPEST = 6

/**
 * Returns the spans of one line. A backslash is a backslash: pasted paths and patterns are full of them. A mark opens at the beginning of
 * a word and closes at the end of one, so `a*b*c`, `*.log`, `/tmp/*`, `* * *`, `snake_case`, `__init__` and `~user` are text. With `origin` a link may
 * name a page of that installation by its path.
 */
export function spansOf(line: string, origin?: string): readonly Span[] {
  return marks(line, atomsIn(line, origin), 0)
}

type Atom = { from: number; to: number; span: Span }

const CODE = /(?<![`\\])(`{1,3})(?!`)([^\n]{0,1000}?[^`\n])\1(?!`)/u
const LINK = /(?<!!)\[([^[\]\n]{1,1000})\]\(((?:[^\s()]|\([^\s()]*\))+)\)/u
const ADDRESS =
  /(?<!["'=]|\]\()\bhttps?:\/\/[^\s<>]+|\bwww\.[^\s<>]+|(?<![\p{L}\p{N}.+_-])[\p{L}\p{N}.+_-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u
const ATOM = new RegExp(`${CODE.source}|${LINK.source}|${ADDRESS.source}`, 'gu')

/** Code and links: their insides hold no marks of ours. */
function atomsIn(line: string, origin?: string): Atom[] {
  return [...line.matchAll(ATOM)].flatMap((found): Atom[] => {
    const [whole, , code, label, href] = found
    const atom = (span: Span, length = whole.length) => [
      { from: found.index, to: found.index + length, span },
    ]
    if (code !== undefined) return atom({ kind: 'code', text: code })
    if (label !== undefined && href !== undefined) {
      const place = placeOf(href, origin)
      return place === undefined
        ? []
        : atom({ kind: 'link', raw: whole, href: place, label, spans: marks(label, [], 1) })
    }
    const bare = withoutEnd(whole)
    const address = bare.startsWith('www.')
      ? `http://${bare}`
      : bare.includes('://')
        ? bare
        : `mailto:${bare}`
    const shown: Span = { kind: 'text', text: bare }
    return safeAddress(address)
      ? atom({ kind: 'link', raw: bare, href: address, label: bare, spans: [shown] }, bare.length)
      : []
  })
}

type Run = { run: string; from: number; to: number }
const RUN = /([*_~])\1*/gu
const BEFORE_OPENING = /(?:^|[\s([{"'„“«‚‘—–*_~])$/u
const AFTER_OPENING = /^(?:[\p{L}\p{N}\p{Sc}\p{Extended_Pictographic}("'„“«‚‘[*_~#@]|$)/u
const BEFORE_CLOSING = /[^\s\\/([{]$/u
const AFTER_CLOSING = /^(?:$|[\s.,;:!?)\]}"'”“»’…—–*_~])/u
const kinds: Record<string, 'strong' | 'em' | 'del' | 'both' | undefined> = {
  '*': 'em',
  _: 'em',
  '**': 'strong',
  __: 'strong',
  '~~': 'del',
  '***': 'both',
}

/** The marks of emphasis in a line whose code and links are found. */
function marks(line: string, atoms: readonly Atom[], depth: number): readonly Span[] {
  const spans: Span[] = []
  let [at, kept] = [0, 0]
  const keepUntil = (end: number) => {
    spans.push(...plain(line, atoms, kept, end))
    kept = end
  }
  const hidden = hide(line, atoms)
  const runs = [...hidden.matchAll(RUN)].map(({ 0: run, index }) => ({
    run,
    from: index,
    to: index + run.length,
  }))
  const unclosed = new Set<string>()
  for (const [place, { run, from, to }] of runs.entries()) {
    const kind = kinds[run]
    if (!kind || from < at || unclosed.has(run) || depth >= DEEPEST) continue
    if (
      !BEFORE_OPENING.test(hidden.slice(Math.max(0, from - 2), from)) ||
      !AFTER_OPENING.test(hidden.slice(to, to + 2))
    )
      continue
    const end = closing(hidden, runs, place)
    if (!end) unclosed.add(run)
    else if (isMeant(run, hidden.slice(to, end.from))) {
      keepUntil(from)
      const inner = marks(line.slice(to, end.from), within(atoms, to, end.from), depth + 1)
      spans.push(
        kind === 'both' ? { kind: 'strong', spans: [{ kind: 'em', spans: inner }] } : { kind, spans: inner },
      )
      at = kept = end.to
    }
  }
  keepUntil(line.length)
  return spans
}

/** The line with letters in the place of its code and links, so that no mark is found in them. */
function hide(line: string, atoms: readonly Atom[]): string {
  const parts = atoms.map(
    ({ from, to }, index) => line.slice(atoms[index - 1]?.to ?? 0, from) + 'x'.repeat(to - from),
  )
  return parts.join('') + line.slice(atoms.at(-1)?.to ?? 0)
}

function closing(line: string, runs: readonly Run[], place: number): Run | undefined {
  for (let index = place + 1; index < runs.length; index += 1) {
    const run = must(runs[index])
    if (run.run === runs[place]?.run && closes(line, run)) return run
  }
  return undefined
}

const closes = (line: string, { from, to }: Run): boolean =>
  BEFORE_CLOSING.test(line.slice(Math.max(0, from - 2), from)) && AFTER_CLOSING.test(line.slice(to, to + 1))

/** Names of programs are written with underscores: `__init__` is a name, `__very important__` is not. */
const isMeant = (run: string, inside: string): boolean =>
  inside !== '' &&
  (!run.startsWith('_') ||
    /\s/u.test(inside) ||
    (run === '_' && /^[\p{L}\p{P}]+$/u.test(inside) && !inside.includes('_')))

const within = (atoms: readonly Atom[], from: number, to: number): Atom[] =>
  atoms
    .filter((atom) => atom.from >= from && atom.to <= to)
    .map((atom) => ({ ...atom, from: atom.from - from, to: atom.to - from }))

/** The text and the atoms of a stretch without marks. */
function plain(line: string, atoms: readonly Atom[], from: number, to: number): Span[] {
  const spans: Span[] = []
  let at = from
  const text = (end: number) => end > at && spans.push({ kind: 'text', text: line.slice(at, end) })
  for (const atom of atoms.filter((atom) => atom.from >= from && atom.to <= to)) {
    text(atom.from)
    spans.push(atom.span)
    at = atom.to
  }
  text(to)
  return spans
}
