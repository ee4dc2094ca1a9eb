import { setTimeout as sleep } from 'node:timers/promises'

const TRIES = 50

/** Clients of a busy server try again, as the pages do; with the same key it is the same request. */
export async function untilAnswered<Reply extends { status: number }>(
  ask: () => Promise<Reply>,
): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask()
    if (reply.status !== 503 || tries === TRIES) return reply
    await sleep(100)
  }
}
