import * as z from 'zod/mini'

/** The way of a call through the code: the files of ours that it enters, the functions that it calls, and its SQL statements. */
export type Way = { files: number; functions: number; statements: number }

const answer = z.object({
  result: z.object({
    result: z.array(
      z.object({
        url: z.string(),
        functions: z.array(
          z.object({ functionName: z.string(), ranges: z.array(z.object({ count: z.number() })) }),
        ),
      }),
    ),
  }),
})

/** Connects to the inspector of a Node process, whose own counts of calls say what a call of ours enters. */
export async function connectCoverage(address: string) {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  const waiting = new Map<number, (message: string) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = String(data)
    waiting.get(z.object({ id: z.number() }).parse(JSON.parse(message)).id)?.(message)
  })
  let last = 0
  const ask = (method: string, params = {}) => {
    const id = (last += 1)
    socket.send(JSON.stringify({ id, method, params }))
    return new Promise<string>((resolve) => waiting.set(id, resolve))
  }
  await ask('Profiler.enable')
  await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const counted = async () =>
    answer.parse(JSON.parse(await ask('Profiler.takePreciseCoverage'))).result.result
  return {
    /** Makes a call, and returns its reply with its way. */
    async of<Reply>(call: () => Promise<Reply>): Promise<{ reply: Reply; way: Way }> {
      await counted()
      const reply = await call()
      const scripts = (await counted()).map(({ url, functions }) => ({
        url,
        called: functions
          .map(({ functionName, ranges }) => ({ functionName, count: ranges[0]?.count ?? 0 }))
          .filter(({ count }) => count > 0),
      }))
      const ours = scripts.filter(
        ({ url, called }) =>
          /^file:.*\/(?:app|features|foundation)\/[^?]*\.ts$/.test(url) &&
          !url.includes('node_modules') &&
          called.length > 0,
      )
      const queries = scripts
        .filter(({ url }) => url.endsWith('/pg/lib/client.js'))
        .flatMap(({ called }) => called.filter(({ functionName }) => functionName === 'query'))
      return {
        reply,
        way: {
          files: ours.length,
          functions: ours.reduce((sum, { called }) => sum + called.length, 0),
          statements: queries.reduce((sum, { count }) => sum + count, 0),
        },
      }
    },
    close: () => socket.close(),
  }
}
