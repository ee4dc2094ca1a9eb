import type { Route } from '#foundation/contract.ts'

/** Returns the names of the fields that the schema of an object declares, in their order; [] for any other schema. */
export const fieldNames = (schema: Route['body']): string[] =>
  schema && 'shape' in schema && typeof schema.shape === 'object' ? Object.keys(schema.shape ?? {}) : []
