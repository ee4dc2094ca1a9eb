import { Worker } from 'node:worker_threads'
import * as z from 'zod/mini'

const decoded = z.object({ data: z.instanceof(Uint8ClampedArray), width: z.number(), height: z.number() })

/**
 * Reads a picture in the format of phones (HEIC), for which libvips has no reader: its colours, turned upright. The decoder is WebAssembly
 * in a thread of its own, with bounded memory, and is ended after `seconds`. The attack is a file that makes a decoder work for ever, or
 * write where it should not: here it has no file, no network and no memory but its own. Throws for what is no such picture.
 */
export async function readHeic(path: string, seconds: number): Promise<z.infer<typeof decoded>> {
  const thread = new Worker(new URL('heic-thread.ts', import.meta.url), {
    workerData: path,
    env: {},
    // The decoder reports each bad file to the console.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  const limit = setTimeout(() => void thread.terminate(), seconds * 1000)
  try {
    const answer = await new Promise((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('the picture was not read in time')))
    })
    // Read here and not as it comes: an error while an event is told would end the process.
    return z.parse(decoded, answer)
  } finally {
    clearTimeout(limit)
    await thread.terminate()
  }
}
