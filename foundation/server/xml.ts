/** An element of XML: text or other elements inside, never both. */
export type Element = { name: string; content: string | Element[]; attributes: Record<string, string> }

/** Returns an element; undefined without content, because XML schemas and the rules (BR-DEC, PEPPOL-R008) refuse empty elements. */
export function element(
  name: string,
  content: string | undefined | readonly (Element | undefined)[],
  attributes: Record<string, string> = {},
): Element | undefined {
  const kept = typeof content === 'object' ? content.filter((one) => one !== undefined) : content
  return kept === undefined || kept.length === 0 ? undefined : { name, content: kept, attributes }
}

/** Returns the document as text, indented, with all texts escaped. */
export function writeXml(root: Element | undefined): string {
  if (root === undefined) throw new Error('an XML document needs a root')
  return `<?xml version="1.0" encoding="utf-8"?>\n${write(root, '')}`
}

function write({ name, content, attributes }: Element, indent: string): string {
  const opened = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(value).replaceAll('"', '&quot;')}"`,
  )
  const inner =
    typeof content === 'string'
      ? escaped(content)
      : `\n${content.map((child) => write(child, `${indent}\t`)).join('')}${indent}`
  return `${indent}<${name}${opened.join('')}>${inner}</${name}>\n`
}

// The characters that XML 1.0 has no way to write.
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

const escaped = (text: string): string =>
  text.replaceAll(unwritable, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
