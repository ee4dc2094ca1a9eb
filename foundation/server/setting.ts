import * as z from 'zod/mini'

/** A setting: its purpose (`about`) and the schema that reads its text. An absent or empty setting counts as not set. */
export type Setting<Schema extends z.ZodMiniType = z.ZodMiniType> = {
  about: string
  schema: Schema
  /** The value of a setting that is not set, as it would be written. */
  fallback?: string
}

/** Settings by their name in the environment. */
export type Settings = Readonly<Record<string, Setting>>

export type ValuesOf<S extends Settings> = { [Name in keyof S]: z.output<S[Name]['schema']> }

export function setting<Schema extends z.ZodMiniType>(
  about: string,
  schema: Schema,
  otherwise: string,
): Setting<Schema> {
  return { about, schema, fallback: otherwise }
}

export function optional<Schema extends z.ZodMiniType>(
  about: string,
  schema: Schema,
): Setting<z.ZodMiniOptional<Schema>> {
  return { about, schema: z.optional(schema) }
}
