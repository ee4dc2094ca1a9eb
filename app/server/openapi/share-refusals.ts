import { commonErrors } from '#foundation/errors.ts'
import { nameOf } from './answers.ts'
import { jsonOf, type Json } from './schemas.ts'

/** The fewest uses of a refusal for which a reference is shorter than printing the refusal each time. */
const FEWEST = 3

/** Replaces equal refusals of several calls by references to one refusal, in place. Returns these refusals by name. */
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

/** Returns the codes that answers.ts has listed in the description of a refusal; undefined for other answers. */
const codesIn = (answer: unknown): string[] | undefined =>
  /^[^:]+: (\w+(?:, \w+)*)$/.exec(String(jsonOf(answer)['description']))?.[1]?.split(', ')

/** Returns the end of a refusal's name: the codes besides the usual ones of this status, or all codes if usual ones are missing. */
function ending(status: string, codes: readonly string[]): string {
  const usual = Object.entries(commonErrors).find(([known]) => known === status)?.[1] ?? []
  const isWhole = usual.every((code) => codes.includes(code))
  const named = isWhole
    ? codes.filter((code) => !usual.some((known) => known === code))
    : ['only', ...shortened(codes)]
  return named.map(pascal).join('')
}

/** The codes that each call of staff has. They are shortened in names, because in full they took a fiftieth of the document. */
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
