import type { HasChanged } from '#features/licences/server/licences.ts'
import { changedTo } from '#foundation/versions.ts'

/**
 * Answers an edit of the catalogue: 200 with the thing as it was saved, or 409 `changed` with the thing as somebody else has saved it
 * meanwhile, which `Changed` tells (rule 45).
 */
export async function savedOrPresent<Row extends { slug: string }, Reply>(
  saving: Promise<Row>,
  Changed: new (present: Row) => HasChanged<Row>,
  reply: (row: Row) => Reply | Promise<Reply>,
) {
  try {
    return { status: 200, body: await reply(await saving) } as const
  } catch (error) {
    if (error instanceof Changed) return changedTo(await reply(error.present))
    throw error
  }
}
