// The thread that makes documents. It receives inputs, one at a time, and answers with documents or with the
// error.
import { parentPort } from 'node:worker_threads'
import { makeDocuments } from './make.ts'
import type { DocumentInput } from './document-input.ts'
import type { Answer } from './worker.ts'

const answer = (said: Answer) => parentPort?.postMessage(said)

parentPort?.on('message', (paper: DocumentInput) => {
  makeDocuments(paper).then(
    (documents) => answer({ documents }),
    (error: unknown) =>
      answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
