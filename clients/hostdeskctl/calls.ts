import * as z from 'zod/mini'
import { fieldsOf, fieldsOfBody, type Field } from './fields.ts'

/** The facts about a call that its command needs. The build cuts it from the API document, which a customer never downloads. */
export type Call = {
  id: string
  group: string
  name: string
  summary: string
  description: string
  method: string
  /** The path with its parameters: /api/hosts/{hostId}/. */
  path: string
  /** The parameters in the path, in its order. */
  named: string[]
  query: Field[]
  body: Field[]
  /** True if the body may be left out. */
  isBodyOptional: boolean
  takesKey: boolean
  takesFile: boolean
  gives: 'json' | 'file' | 'nothing'
}

const parameter = z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() })
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  security: z._default(z.array(z.record(z.string(), z.unknown())), []),
  parameters: z._default(z.array(z.union([parameter, z.object({ $ref: z.string() })])), []),
  requestBody: z.optional(
    z.object({
      required: z.boolean(),
      content: z.record(z.string(), z.object({ schema: z.unknown() })),
    }),
  ),
  responses: z.record(
    z.string(),
    z.object({ content: z.optional(z.record(z.string(), z.unknown())), $ref: z.optional(z.string()) }),
  ),
})
const apiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

type Operation = z.output<typeof operation>

/**
 * Returns the calls of an API document that a program with a token may make, in the order of the document. The tools of assistants, which stand
 * beside `/api/`, speak a protocol of their own.
 */
export function callsOf(printed: unknown): Call[] {
  const { paths, components } = apiDocument.parse(printed)
  const ofApi = Object.entries(paths).filter(([path]) => path.startsWith('/api/'))
  return ofApi.flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.some((way) => 'token' in way))
      .map(([method, one]) => callOf(method.toUpperCase(), path, one, components.schemas)),
  )
}

function callOf(
  method: string,
  path: string,
  { operationId, tags, summary, description, parameters, requestBody, responses }: Operation,
  schemas: Readonly<Record<string, unknown>>,
): Call {
  const group = groupOf(tags[0] ?? '')
  // A reference is the parameter `for`: a token acts for one account, which it need not say.
  const own = parameters.filter((one): one is z.output<typeof parameter> => 'name' in one)
  const body = requestBody?.content['application/json']
  return {
    id: operationId,
    group,
    name: nameIn(group, operationId),
    summary,
    description,
    method,
    path,
    named: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: fieldsOf(
      own.filter((one) => one.in === 'query' && one.name !== 'for'),
      schemas,
    ),
    body: body ? fieldsOfBody(body.schema, schemas) : [],
    isBodyOptional: requestBody?.required !== true,
    takesKey: own.some((one) => one.in === 'header' && one.name.toLowerCase() === 'idempotency-key'),
    takesFile: requestBody?.content['multipart/form-data'] !== undefined,
    gives: givenBy(responses),
  }
}

function givenBy(responses: Operation['responses']): Call['gives'] {
  const success = Object.entries(responses).find(
    ([status, { content }]) => status.startsWith('2') && content !== undefined,
  )
  if (!success) return 'nothing'
  return 'application/json' in (success[1].content ?? {}) ? 'json' : 'file'
}

// Programs read of hosts and of events; people, and the reference, of servers and of a stream.
const groups: Readonly<Record<string, string>> = { Servers: 'hosts', 'Live stream': 'events' }

/** Returns the first word of the commands of a part of the API. */
const groupOf = (tag: string): string => groups[tag] ?? tag.toLowerCase().replaceAll(' ', '-')

/** Returns the second word: the name of the call without the word of its group. `listHosts` is `hosts list`. */
function nameIn(group: string, id: string): string {
  const known = [group, group.replace(/s$/, '')]
  const words = id
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
  return words.filter((word) => !known.includes(word)).join('-')
}
