import * as z from 'zod/mini'
import { namedAfter, shown } from '#foundation/printed.ts'

/** The version of a thing, which each edit raises. It comes with the thing, and an edit sends it back (rule 45). */
export const version = shown(z.int().check(z.positive()), { format: 'int32' })

/** The reply 409 `changed`: somebody edited the thing since the caller read it. `present` is the thing as it is now. */
export const changedReply = <Thing extends z.ZodMiniType>(present: Thing) =>
  namedAfter(
    present,
    'Changed',
    z.strictObject({
      status: z.literal(409),
      errors: z.array(z.strictObject({ code: z.string(), message: z.string() })),
      present,
    }),
  )

/** Returns the reply 409 to an edit whose version is stale. */
export const changedTo = <Thing>(present: Thing) => ({
  status: 409 as const,
  body: {
    status: 409 as const,
    errors: [{ code: 'changed', message: 'This was changed since it was read.' }],
    present,
  },
})
