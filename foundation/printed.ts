import * as z from 'zod/mini'

export type Printed = {
  id?: string
  format?:
    | 'date'
    | 'date-time'
    | 'uuid'
    | 'idn-email'
    | 'ipv4'
    | 'uri-reference'
    | 'int32'
    | 'int64'
    | 'double'
  type?: 'integer'
  minimum?: number
  maximum?: number
  /** The default of a field: zod prints none for a schema that transforms its input. */
  usual?: number
  /** The name of the schema of an answer that a request has, too: the document refers to it. */
  as?: string
}

/**
 * Holds what the API document prints of a schema besides its checks. A schema with an `id` is printed once, under that name,
 * and generated clients get a type of it. No answer is checked for its `format` at run time, because all of them are our own:
 * the tests check the formats of all answers that they get (rule 47).
 */
export const printed = z.registry<Printed>()

/**
 * Gives a schema its name in the API document: `named('Host', host)` below the schema. The build drops such a statement,
 * because no browser prints the document.
 */
export function named(id: string, schema: z.ZodMiniType): void {
  printed.add(schema, { ...printed.get(schema), id })
}

/** Names a schema after the named schema that it is made of: `Page` of a `Host` is a `HostPage`. */
export function namedAfter<S extends z.ZodMiniType>(part: z.ZodMiniType, ending: string, schema: S): S {
  const id = printed.get(part)?.id
  return id === undefined ? schema : shown(schema, { id: id + ending })
}

/** Returns the same schema, which the API document prints with `as` besides its checks. */
export function shown<S extends z.ZodMiniType>(schema: S, as: Printed): S {
  printed.add(schema, as)
  return schema
}

/** A time in an answer: RFC 3339, UTC. */
export const time = () => shown(z.string(), { format: 'date-time' })

/** A day in an answer: 2026-11-23. */
export const day = () => shown(z.string(), { format: 'date' })

/** A UUID in an answer. */
export const uuidText = () => shown(z.string(), { format: 'uuid' })

/** An e-mail address in an answer; it may have letters of any language. */
export const emailText = () => shown(z.string(), { format: 'idn-email' })

/** A dotted quad in an answer. */
export const ipv4Text = () => shown(z.string(), { format: 'ipv4' })

/** A URL in an answer. The URL of one of our own pages has no origin (RFC 3986 4.1). */
export const urlText = () => shown(z.string(), { format: 'uri-reference' })

/** A count in an answer: at most 2³¹ − 1. */
export const count = () => shown(z.int(), { format: 'int32' })

/** A number that may exceed 2³¹: bytes, Unix seconds, row numbers. */
export const bigCount = () => shown(z.int(), { format: 'int64' })

/** A number in a query: digits, from `least` to `most`. */
export const digits = (pattern: RegExp, least: number, most: number) =>
  shown(
    z.pipe(
      z.string().check(z.regex(pattern, 'invalid')),
      z.transform((text: string) => Number(text)),
    ),
    { type: 'integer', format: 'int32', minimum: least, maximum: most },
  )

/** Like `digits`, with `usual` as the default. */
export function digitsOr(usual: number, pattern: RegExp, least: number, most: number) {
  const schema = digits(pattern, least, most)
  return z._default(shown(schema, { ...printed.get(schema), usual }), usual)
}
