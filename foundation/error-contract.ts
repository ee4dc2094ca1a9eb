import * as z from 'zod/mini'

const apiError = z.strictObject({ code: z.string(), param: z.optional(z.string()), message: z.string() })

/**
 * The body of a refusal that has fields besides its errors, for a contract's `replies`. It describes EVERY refusal of that
 * status, so these fields are optional: the same route may refuse for another reason, without them.
 */
export const errorWith = <const S extends number, const Shape extends Record<string, z.ZodMiniType>>(
  status: S,
  shown: Shape,
) =>
  z.strictObject({
    status: z.literal(status),
    errors: z.array(apiError).check(z.minLength(1)),
    ...optionalOf(shown),
  })

type Optional<Shape extends Record<string, z.ZodMiniType>> = {
  [Name in keyof Shape]: z.ZodMiniOptional<Shape[Name]>
}

function optionalOf<const Shape extends Record<string, z.ZodMiniType>>(shape: Shape): Optional<Shape>
function optionalOf(shape: Record<string, z.ZodMiniType>): Record<string, z.ZodMiniType> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.optional(schema)]))
}
