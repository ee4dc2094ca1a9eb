import { readFile } from 'node:fs/promises'
import type * as z from 'zod/mini'
import { WrongUse } from '#foundation/server/operator-errors.ts'

/** Returns the fields of a JSON file, validated as by the API; `what` is what it is to describe. Throws WrongUse. */
export async function readJson<Schema extends z.ZodMiniType>(
  file: string,
  schema: Schema,
  what: string,
): Promise<z.output<Schema>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new WrongUse(`'${file}' cannot be read.`)
  })
  const judged = schema.safeParse(jsonIn(text, file))
  if (judged.success) return judged.data
  const reasons = judged.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new WrongUse(`'${file}' is no ${what}: ${reasons.join(', ')}.`)
}

function jsonIn(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongUse(`'${file}' is no JSON.`)
  }
}
