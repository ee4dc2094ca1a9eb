import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

/** Reads a JSON file; returns the fields that the schema names. Throws if the file does not match the schema. */
export const readJson = <Schema extends z.ZodMiniType>(file: string, schema: Schema): z.output<Schema> =>
  z.parse(schema, JSON.parse(readFileSync(file, 'utf8')))
