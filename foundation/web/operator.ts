import { OPERATOR_META, type Operator } from '#foundation/operator.ts'

/** The operator the server wrote into the page; a page without one (as in development) is Hostdesk's own. */
export const operator: Operator = read() ?? { name: 'Hostdesk' }

function read(): Operator | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${OPERATOR_META}"]`)?.content
  return content ? (JSON.parse(content) as Operator) : undefined
}
