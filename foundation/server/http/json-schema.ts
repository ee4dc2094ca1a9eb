import * as z from 'zod/mini'

/** A schema of a contract as JSON Schema, for the API document. */
export function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): { [key: string]: unknown } {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as {
    [key: string]: unknown
  }
  return json
}
