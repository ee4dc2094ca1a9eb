// `node tests/libraries/make-vectors.ts` writes agent/vectors.json: documents, the expectations by which they are judged, and the answers
// that the libraries of all languages must give. The answers are written by hand; no library computes them.
import { writeFileSync } from 'node:fs'
import { vectorCases } from './cases/cases.ts'
import { publicKeys } from './documents.ts'

/** Returns the text of the file, which is the same at each call. */
export const vectorsText = (): string => {
  const cases = vectorCases().map((one) => `    ${JSON.stringify(one)}`)
  return `{\n  "keys": ${JSON.stringify(publicKeys)},\n  "cases": [\n${cases.join(',\n')}\n  ]\n}\n`
}

if (import.meta.main) writeFileSync('agent/vectors.json', vectorsText())
