// The thread that makes documents. It receives inputs, one at a time, and answers with documents or with the error.
import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import { makeDocuments } from './make.ts'
import type { DocumentInput, StatementInput } from './document-input.ts'
import type { Answer } from './worker.ts'

// On Linux each thread has a priority of its own. With a lower one, drawing takes only the processor time that other threads leave.
if (process.platform === 'linux') os.setPriority(5)

const answer = (said: Answer) => parentPort?.postMessage(said)

parentPort?.on('message', (paper: DocumentInput | StatementInput) => {
  makeDocuments(paper).then(
    (documents) => answer({ documents }),
    (error: unknown) =>
      answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
