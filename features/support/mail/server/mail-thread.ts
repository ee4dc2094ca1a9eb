/** The thread that takes a mail apart: it gets the bytes, answers with the headers, then with the text and the files, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import * as z from 'zod/mini'
import { readBody, readHead } from './take-apart.ts'

const { bytes, authServer } = z.parse(
  z.object({ bytes: z.instanceof(Uint8Array), authServer: z.optional(z.string()) }),
  workerData,
)
parentPort?.postMessage({ facts: await readHead(bytes, authServer) })
parentPort?.postMessage({ body: await readBody(bytes) })
