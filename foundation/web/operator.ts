import { OPERATOR_META, type Operator } from '#foundation/operator.ts'

/** The operator that the server wrote into the page; 'Hostdesk' if it wrote none, as in development. */
export const operator: Operator = read() ?? { name: 'Hostdesk' }

function read(): Operator | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${OPERATOR_META}"]`)?.content
  return content ? parse(content) : undefined
}

// Our own server has written the JSON into the page, so its type is not checked.
function parse(content: string): Operator
function parse(content: string): unknown {
  const written: unknown = JSON.parse(content)
  return written
}
