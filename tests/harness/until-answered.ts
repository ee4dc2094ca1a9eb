import { setTimeout as sleep } from 'node:timers/promises'

const TRIES = 50

/** Repeats a request while the server is too busy (503), as a person would. Returns the last answer. */
export async function untilAnswered<Reply extends { status: number }>(
  ask: () => Promise<Reply>,
): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await ask()
    if (reply.status !== 503 || tries === TRIES) return reply
    await sleep(100)
  }
}
