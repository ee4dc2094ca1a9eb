import { errorCode } from '#foundation/server/error-code.ts'

const LOCK_NOT_AVAILABLE = '55P03'
const MOST_WAITS = 10

/**
 * Runs `work` again while another import holds its lock longer than PostgreSQL waits for a lock (2 s): a file of thousands of payments
 * takes seconds, and a colleague's file must not be refused meanwhile.
 */
export async function afterOthers<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let waits = 1; ; waits += 1)
    try {
      return await work()
    } catch (error) {
      if (errorCode(error) !== LOCK_NOT_AVAILABLE || waits === MOST_WAITS) throw error
    }
}
