import type { Route } from '#foundation/contract.ts'

/** The names of the fields that a schema of an object declares, in their order; none of another schema. */
export const fieldNames = (schema: Route['body']): string[] =>
  schema && 'shape' in schema && typeof schema.shape === 'object' ? Object.keys(schema.shape ?? {}) : []
