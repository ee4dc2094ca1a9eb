import * as z from 'zod/mini'
import type { Route } from '#foundation/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { refusalOfStaff } from '#foundation/server/http/access.ts'
import type { Caller } from '#foundation/server/http/caller.ts'

/** A tool as assistants are told of it. */
type ToolReply = {
  name: string
  description: string
  inputSchema: { type: 'object'; [key: string]: unknown }
  annotations: { title: string; readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean }
}

/** The tools of a caller: those of accounts for a customer's token, those of staff for a robot, within its roles. */
export function toolsOf(app: App, caller: Caller): Route[] {
  return app.tools.filter(({ access, tool }) => {
    if (!caller.robot) return access.who === 'customer'
    const known = { ...caller, actor: caller.robot }
    if (access.who === 'staff') return refusalOfStaff(known, access.permission) === undefined
    const { orStaff } = access
    return tool === 'read' && orStaff !== undefined && refusalOfStaff(known, orStaff) === undefined
  })
}

export function toolReply({ id, summary, description, tool, params, query, body }: Route): ToolReply {
  const parts = Object.entries({ params, query, body }).flatMap(([name, schema]) =>
    schema ? [[name, schemaOf(schema)] as const] : [],
  )
  return {
    name: id,
    description: [summary, description, tool === 'propose' ? WAITS : undefined].filter(Boolean).join('. '),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(parts),
      required: parts.filter(([name]) => name !== 'query').map(([name]) => name),
      additionalProperties: false,
    },
    annotations: {
      title: summary,
      readOnlyHint: tool === 'read',
      destructiveHint: false,
      openWorldHint: false,
    },
  }
}

const WAITS = 'This only proposes it: nothing happens until a person confirms it'

function schemaOf(schema: NonNullable<Route['body']>): Record<string, unknown> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A part of a path that an assistant names: no id has other letters, and dots would lead to another call. */
const ID = /^[\w-]{1,200}$/u

/** Returns the address and the body of a tool's call; undefined where its input does not fit the path. */
export function callOf(
  { path }: Route,
  input: unknown,
): { url: string; body: Record<string, unknown> } | undefined {
  const given = isRecord(input) ? input : {}
  const params = isRecord(given['params']) ? given['params'] : {}
  const query = isRecord(given['query']) ? given['query'] : {}
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => params[name])
  if (ids.some((id) => typeof id !== 'string' || !ID.test(id))) return undefined
  const asked = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  )
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  return {
    url: asked.size > 0 ? `${filled}?${asked.toString()}` : filled,
    body: isRecord(given['body']) ? given['body'] : {},
  }
}
