import * as z from 'zod/mini'
import { namedAfter, shown } from '#foundation/printed.ts'

/** How often a thing was edited: it comes with the thing and goes back with an edit (rule 45). */
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

/** The answer to an edit whose version is stale. */
export const changedTo = <Thing>(present: Thing) => ({
  status: 409 as const,
  body: {
    status: 409 as const,
    errors: [{ code: 'changed', message: 'This was changed since it was read.' }],
    present,
  },
})
