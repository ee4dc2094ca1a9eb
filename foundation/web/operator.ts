import { OPERATOR_META, type Operator } from '#foundation/operator.ts'

/** The operator the server wrote into the page; a page without one (as in development) is Hostdesk's own. */
export const operator: Operator = read() ?? { name: 'Hostdesk' }

function read(): Operator | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${OPERATOR_META}"]`)?.content
  return content ? parse(content) : undefined
}

// Written by our own server into its own page.
function parse(content: string): Operator
function parse(content: string): unknown {
  const written: unknown = JSON.parse(content)
  return written
}
