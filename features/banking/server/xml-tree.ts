import sax from 'sax'

/** An XML element, without the child elements that `readXml` handed over. Names have no namespace prefix. */
export type Element = {
  name: string
  attributes: Readonly<Record<string, string>>
  text: string
  children: Element[]
}

/** Thrown for a text that is no well-formed XML, or exceeds the limits below. */
export class XmlError extends Error {}

// A statement nests about twelve levels deep. A payment has about fifty elements, and an entry may be a batch of thousands of payments.
const MOST_DEPTH = 40
const MOST_ELEMENTS = 300_000

type Reader = { write(piece: string): void; end(): void }

/**
 * Reads XML piece by piece. An element whose name is in `taken` is handed to its function when it ends, and is not kept: so a file of any
 * length needs the memory of one such element. A document type is refused, so that no file defines entities of its own. Throws XmlError.
 */
export function readXml(taken: ReadonlyMap<string, (element: Element) => void>): Reader {
  const parser = sax.parser(true, { position: false })
  const open: Element[] = []
  let kept = 0
  const append = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  Object.assign(parser, {
    ondoctype() {
      throw new XmlError('A document type is not read.')
    },
    onopentag({ name, attributes }: sax.Tag) {
      kept += 1
      if (open.length >= MOST_DEPTH || kept > MOST_ELEMENTS) throw new XmlError('This is more than is read.')
      open.push({ name: localName(name), attributes, text: '', children: [] })
    },
    ontext: append,
    oncdata: append,
    onclosetag() {
      const element = open.pop()
      if (!element) return
      const take = taken.get(element.name)
      if (take) {
        take(element)
        kept -= sizeOf(element)
      } else open.at(-1)?.children.push(element)
    },
    onerror(error: Error) {
      throw new XmlError(error.message)
    },
  })
  return {
    write: (piece) => void parser.write(piece),
    end: () => void parser.close(),
  }
}

const sizeOf = ({ children }: Element): number => children.reduce((sum, child) => sum + sizeOf(child), 1)

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Returns the elements at the end of a path of names below this element, in order: `all(entry, 'NtryDtls', 'TxDtls')`. */
export const all = (element: Element, ...path: readonly string[]): Element[] =>
  path.reduce(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  )

/** Returns the text at the first of these paths that has a text, without blanks around it; empty if none has. */
export function textAt(element: Element, ...paths: readonly (readonly string[])[]): string {
  for (const path of paths) {
    const text = all(element, ...path)[0]?.text.trim()
    if (text) return text
  }
  return ''
}
