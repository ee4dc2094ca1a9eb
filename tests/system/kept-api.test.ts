import { describe, expect, it } from 'vitest'
import { published, routes } from '#app/server/features.ts'
import { programVersion as version } from '#foundation/server/release.ts'
import { must } from '#foundation/must.ts'
import { factsOf } from '#tools/released-api/facts.ts'
import { presentFacts } from '#tools/released-api/present.ts'
import { factsOfRelease, releasedVersions } from '#tools/released-api/released.ts'

const present = presentFacts()

/**
 * The breaks that are meant, since the last release, each with its reason. CHANGELOG.md names each of them. A release empties this list,
 * because it writes down anew what is promised.
 */
const meant: readonly { fact: RegExp; because: string }[] = [
  {
    fact: /body\.(?:amount|month_limit|price_net) takes (?:null\|)?string$/,
    because: 'money in requests is {amount, currency}; the bare string is still read',
  },
  {
    fact: /^DELETE \/api\/(?:staff\/)?hosts\/\{hostId\}\/(?:(?:address-changes|releases|suspension)\/)? (?:body|needs query)|^DELETE \/api\/hosts\/\{hostId\}\/ (?:body|needs query)/,
    because: 'these deletions say in the query what they said in a body',
  },
]

const callOf = (fact: string) => /^[A-Z]+ \/\S+/.exec(fact)?.[0]

/** A whole number is a number, and what takes a boolean takes true. */
const holds = (fact: string, now: ReadonlySet<string>): boolean =>
  now.has(fact) ||
  now.has(fact.replace(/ gives number$/, ' gives integer')) ||
  now.has(fact.replace(/ may be true$/, ' takes boolean'))

/** Returns the objects around a needed field: what a new object needs, that may be left out as a whole, breaks nobody. */
function placesAbove(fact: string): string[] {
  const [call = '', field = ''] = fact.split(' needs ')
  const names = field.split('.')
  return names.slice(2).map(
    (_, nth) =>
      `${call} ${names
        .slice(0, nth + 2)
        .join('.')
        .replace(/\[\]$/, '')}`,
  )
}

/** Returns the facts of a release that hold no more, and what calls of that release need anew. */
function breaksSince(old: ReadonlySet<string>, now: ReadonlySet<string>): string[] {
  const calls = new Set([...old].map(callOf))
  const gone = [...old].filter((fact) => !holds(fact, now) && !/ needs \S+$/.test(fact))
  const places = new Set([...old].map((fact) => fact.replace(/ takes \S+$/, '')))
  const asked = [...now].filter(
    (fact) =>
      / needs \S+$/.test(fact) &&
      !old.has(fact) &&
      calls.has(callOf(fact)) &&
      !placesAbove(fact).some(
        (place) => !places.has(place) && !now.has(place.replace(/ (\S+)$/, ' needs $1')),
      ),
  )
  return [...gone, ...asked]
}

describe('the API of the last release', () => {
  const last = must(releasedVersions().at(-1))
  const breaks = breaksSince(factsOfRelease(last), present)

  it('was written down (node tools/released-api/keep.ts)', () => {
    expect(last).toBe(version)
  })

  it('will be written down with each kind of event and each error code of a call', () => {
    const events = published.map(({ type }) => `webhook ${type} body gives AccountEvent`)
    const codes = routes.flatMap(({ contract: { method, path, errors } }) =>
      Object.entries(errors ?? {}).flatMap(([status, of]) =>
        of.map((code) => `${method} ${path} refuses with ${status} ${code}`),
      ),
    )
    expect(Math.min(events.length, codes.length)).toBeGreaterThan(0)
    expect([...events, ...codes].filter((fact) => !present.has(fact))).toEqual([])
  })

  it('still holds, but for what is meant', () => {
    expect(breaks.filter((fact) => !meant.some((one) => one.fact.test(fact)))).toEqual([])
  })

  it('is broken by each thing that is meant, so that the list does not outlive its reasons', () => {
    expect(meant.filter((one) => !breaks.some((fact) => one.fact.test(fact)))).toEqual([])
  })
})

describe('a break of the API is', () => {
  const schema = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
  const json = (of: object) => ({ content: { 'application/json': { schema: of } } })
  const text = { type: 'string' }
  const refusal = (...codes: string[]) =>
    json(
      schema({
        errors: { type: 'array', items: schema({ code: { ...text, 'x-extensible-enum': codes } }) },
      }),
    )
  const event = (data: object) => ({ allOf: [{ type: 'object' }, schema({ data })] })
  const documentOf = ({
    asked = schema({ name: text, kind: { enum: ['a', 'b'] } }),
    given = schema({ id: text }, ['id']),
    parameters = [] as object[],
    refused = refusal('taken', 'full') as object,
    webhooks = { 'x.closed': event(schema({ id: text }, ['id'])) } as Record<string, object>,
  }) => ({
    paths: {
      '/x/': {
        post: {
          operationId: 'x',
          parameters,
          requestBody: json(asked),
          responses: { 201: json(given), 409: refused },
        },
      },
    },
    webhooks: Object.fromEntries(
      Object.entries(webhooks).map(([type, of]) => [type, { post: { requestBody: json(of) } }]),
    ),
  })
  const before = factsOf(documentOf({}))

  it.for<[name: string, changed: Parameters<typeof documentOf>[0], breaks: number]>([
    ['a new field of an answer', { given: schema({ id: text, more: text }, ['id', 'more']) }, 0],
    [
      'a new field of a request that may be left out',
      { asked: schema({ name: text, kind: { enum: ['a', 'b', 'c'] }, more: text }) },
      0,
    ],
    ['a field that an answer lacks', { given: schema({}) }, 2],
    ['a field that an answer may lack', { given: schema({ id: text }) }, 1],
    ['a field that may be null', { given: schema({ id: { anyOf: [text, { type: 'null' }] } }, ['id']) }, 1],
    ['a value that is not taken any more', { asked: schema({ name: text, kind: { enum: ['a'] } }) }, 1],
    [
      'a field that must be there',
      { asked: schema({ name: text, kind: { enum: ['a', 'b'] } }, ['name']) },
      1,
    ],
    [
      'a parameter that must be there',
      { parameters: [{ in: 'query', name: 'q', required: true, schema: text }] },
      1,
    ],
    ['a new error code', { refused: refusal('taken', 'full', 'late') }, 0],
    ['an error code under another name', { refused: refusal('occupied', 'full') }, 1],
    ['a refusal that shows another thing', { refused: json(schema({ seen: text })) }, 2],
    [
      'a new kind of event, and a new field of an event',
      { webhooks: { 'x.closed': event(schema({ id: text, more: text }, ['id'])), 'x.opened': event(text) } },
      0,
    ],
    ['an event under another name', { webhooks: { 'x.shut': event(schema({ id: text }, ['id'])) } }, 4],
    ['a field that the data of an event lacks', { webhooks: { 'x.closed': event(schema({})) } }, 2],
  ])('%s', ([, changed, count]) => {
    expect(breaksSince(before, factsOf(documentOf(changed)))).toHaveLength(count)
  })
})
