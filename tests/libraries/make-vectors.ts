// Writes agent/vectors.json: documents, what they are held against, and the answer that libraries of all languages must give.
// The answers are written down here and not worked out by any of the libraries. `node tests/libraries/make-vectors.ts`
import { writeFileSync } from 'node:fs'
import { vectorCases } from './cases/cases.ts'
import { publicKeys } from './documents.ts'

/** The file as a text; the same at each call. */
export const vectorsText = (): string => {
  const cases = vectorCases().map((one) => `    ${JSON.stringify(one)}`)
  return `{\n  "keys": ${JSON.stringify(publicKeys)},\n  "cases": [\n${cases.join(',\n')}\n  ]\n}\n`
}

if (import.meta.main) writeFileSync('agent/vectors.json', vectorsText())
