import { commonErrors } from '#foundation/errors.ts'
import { nameOf } from './answers.ts'
import { jsonOf, type Json } from './schemas.ts'

/** Below this many uses a reference and a name cost more than they save. */
const FEWEST = 3

/** Prints refusals that several calls share once: puts references in their places, and returns them by name. */
export function shareRefusals(paths: Readonly<Record<string, Json>>): Json {
  const operations = Object.values(paths).flatMap((path) => Object.values(path).map(jsonOf))
  const refusals = operations
    .map((operation) => jsonOf(operation['responses']))
    .flatMap((responses) =>
      Object.entries(responses).flatMap(([status, answer]) => {
        const codes = codesIn(answer)
        return codes ? [{ responses, status, codes, text: JSON.stringify(answer) }] : []
      }),
    )
  const shared: Json = {}
  for (const same of Map.groupBy(refusals, ({ text }) => text).values()) {
    const [first] = same
    if (!first || same.length < FEWEST) continue
    const name = nameOf(first.status) + ending(first.status, first.codes)
    shared[name] = first.responses[first.status]
    for (const { responses, status } of same) responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return shared
}

/** The codes of an answer, as `answers.ts` lists them in the description of a refusal. */
const codesIn = (answer: unknown): string[] | undefined =>
  /^[^:]+: (\w+(?:, \w+)*)$/.exec(String(jsonOf(answer)['description']))?.[1]?.split(', ')

/** The codes beyond the usual refusals of this status; all codes if some of the usual ones are missing. */
function ending(status: string, codes: readonly string[]): string {
  const usual = Object.entries(commonErrors).find(([known]) => known === status)?.[1] ?? []
  const isWhole = usual.every((code) => codes.includes(code))
  const named = isWhole
    ? codes.filter((code) => !usual.some((known) => known === code))
    : ['only', ...shortened(codes)]
  return named.map(pascal).join('')
}

/** The codes that each call of staff has. Their names in full took a fiftieth of the document. */
const OF_STAFF = ['not_allowed', 'network_not_allowed', 'two_factor_required', 'reauthentication_required']

const shortened = (codes: readonly string[]): readonly string[] =>
  OF_STAFF.every((code) => codes.includes(code))
    ? ['of_staff', ...codes.filter((code) => !OF_STAFF.includes(code))]
    : codes

const pascal = (code: string): string =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
