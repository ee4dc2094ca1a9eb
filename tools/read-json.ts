import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

/** A file of JSON, as far as its schema names it. Throws where the file is another. */
export const readJson = <Schema extends z.ZodMiniType>(file: string, schema: Schema): z.output<Schema> =>
  z.parse(schema, JSON.parse(readFileSync(file, 'utf8')))
