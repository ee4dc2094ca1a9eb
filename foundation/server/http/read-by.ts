import * as core from 'zod/v4/core'

const known = new WeakSet<core.$ZodType>()
const withFunction: core.$constructor<core.$ZodObject> = core.$ZodObjectJIT

/**
 * Reads a value by a schema of a contract. The small build of zod, in which contracts are written for the browser's sake, looks at an
 * object key by key; here zod writes a function for each object at its first use, as its full build does. A list of 25 servers is checked
 * in a fifth of the time, with the same answers.
 */
export function readBy<Schema extends core.$ZodType>(schema: Schema, value: unknown) {
  writeFunctions(schema)
  return core.safeParse(schema, value)
}

function writeFunctions(schema: core.$ZodType): void {
  if (known.has(schema)) return
  known.add(schema)
  if (schema instanceof core.$ZodObject) {
    const inner = schema._zod
    // A schema without checks of its own keeps its way of parsing in both places.
    const isUnchecked = inner.run === inner.parse
    withFunction.init(schema, inner.def)
    if (isUnchecked) inner.run = inner.parse
  }
  for (const part of valuesOf(schema._zod.def))
    for (const inner of [part, ...valuesOf(part)]) if (inner instanceof core.$ZodType) writeFunctions(inner)
}

const valuesOf = (part: unknown): unknown[] =>
  typeof part === 'object' && part !== null ? Object.values(part) : []
