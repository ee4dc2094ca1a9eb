import fc from 'fast-check'
import { SchemaPrinter } from '#app/server/openapi/schemas.ts'
import type * as z from 'zod/mini'

type Json = { [key: string]: unknown }

const printer = new SchemaPrinter(true)

/** Values that the product may accept, by the name of their field: without them, few requests would get past the first check. */
export type Pools = Record<string, readonly unknown[]>

/** Generates input that fits the schema of a contract: mostly what a browser would send, sometimes extreme values. */
export function inputFor(schema: z.ZodMiniType, pools: Pools): fc.Arbitrary<unknown> {
  return fromSchema(printer.input(schema), pools, '')
}

function fromSchema(schema: Json, pools: Pools, name: string): fc.Arbitrary<unknown> {
  const pool = pools[name]
  if (pool)
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...pool) },
      { weight: 1, arbitrary: plain(schema, pools, name) },
    )
  return plain(schema, pools, name)
}

function plain(schema: Json, pools: Pools, name: string): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Json[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => fromSchema(choice, pools, name)))
  switch (schema['type']) {
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 40 })
    case 'integer':
      return fc.oneof(fc.nat(100), fc.maxSafeInteger())
    case 'number':
      return fc.double()
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fromSchema((schema['items'] ?? {}) as Json, pools, name), { maxLength: 4 })
    case 'object':
      return object(schema, pools)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function object(schema: Json, pools: Pools): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  const required = (schema['required'] ?? []) as string[]
  if (properties.length === 0)
    return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
  const model = Object.fromEntries(properties.map(([name, inner]) => [name, fromSchema(inner, pools, name)]))
  return fc.record(model, { requiredKeys: required, noNullPrototype: true })
}

/** Inputs that nobody sends by accident. Each is an attack or an error that was seen somewhere. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '😀'.repeat(300),
    [],
    [[]],
    ['a', 'b'],
    {},
    { $ne: null },
    { toString: 'x' },
    "' or 1=1 --",
    '../../etc/passwd',
    '%00',
    '<script>alert(1)</script>',
    '9'.repeat(400),
    'x'.repeat(3_000),
    '1e999',
    'NaN',
    'undefined',
    '-9223372036854775809',
    '00000000-0000-0000-0000-000000000000',
    'a@b',
    'a@b.c',
    `${'a'.repeat(255)}@example.com`,
    'İ@example.com',
    'ß@example.com',
    'a@exa\nmple.com',
    '123456',
    '１２３４５６',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** The text of a body: well-formed JSON with something hostile in it, or no JSON at all. */
export function hostileBody(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const names = fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'id',
    'is_staff',
    'user_id',
    'x',
  )
  const withExtra = fc
    .tuple(valid, names, hostileValue)
    .map(([body, name, value]) => insertText(JSON.stringify(body ?? {}), name, value))
  const withLeaf = fc
    .tuple(valid, fc.nat(), hostileValue)
    .map(([body, at, value]) => JSON.stringify(replaceField(body, at, value)))
  const broken = fc
    .tuple(valid, fc.nat(400))
    .map(([body, at]) => JSON.stringify(body ?? {}).slice(0, at % 30))
  return fc.oneof(
    { weight: 8, arbitrary: withLeaf },
    { weight: 3, arbitrary: withExtra },
    { weight: 2, arbitrary: hostileValue.map((value) => JSON.stringify(value) ?? '') },
    { weight: 2, arbitrary: broken },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '[',
        '{',
        '{"a":1,}',
        '"',
        'null',
        '[]',
        '﻿{}',
        '{"a":1}{"b":2}',
        "{'a':1}",
        '[['.repeat(5_000),
        `{"a":${'['.repeat(9_000)}`,
        `{"email":"${'x'.repeat(70_000)}"}`,
        '{"email":"a","email":"b"}',
        '{"__proto__":{"is_staff":true}}',
        '\0',
        'ÿþ{}',
        '{"constructor":{"prototype":{"x":1}}}',
        '1e999',
        '-',
        '{"email":"\\ud800"}',
        '{"email":"\\u0000"}',
      ),
    },
  )
}

// Inserts the field into the text: `__proto__` as the property of an object would be lost before the object is sent.
function insertText(json: string, name: string, value: unknown): string {
  const field = `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`
  return json.startsWith('{') ? `{${field}${json === '{}' ? '' : ','}${json.slice(1)}` : json
}

function replaceField(body: unknown, at: number, value: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return value
  const names = Object.keys(body)
  const name = names[at % Math.max(1, names.length)]
  return name === undefined ? value : { ...body, [name]: value }
}
