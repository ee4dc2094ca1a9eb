import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { HttpError } from '#foundation/server/http/http-error.ts'
import type { Documents, DocumentInput, StatementInput } from './document-input.ts'

export type Answer = { documents: Documents } | { error: string }

// A page of lines takes some hundred milliseconds, the first page a second more to load the code; on a busy machine, many times that.
const TIMEOUT_MS = 60_000
// The most documents that may wait to be made; beyond that a download is turned away.
const MOST_WAITING = 50
// The libraries take some 100 MB of memory, which is freed while nothing is issued.
const IDLE_MS = 60_000

let worker: Worker | undefined
let last: Promise<unknown> = Promise.resolve()
let waiting = 0
let idle: NodeJS.Timeout | undefined

/**
 * Makes documents in a thread of their own, one after the other, so that no request waits for fonts and XML. Throws 503 if a document
 * takes longer than a minute (its thread is ended, and the next document gets a new thread), or if too many wait.
 */
export async function renderInWorker(paper: DocumentInput | StatementInput): Promise<Documents> {
  if (waiting >= MOST_WAITING) throw unavailable()
  waiting += 1
  const turn = last.then(() => ask(paper))
  last = turn.catch(() => {})
  return turn.finally(() => {
    waiting -= 1
  })
}

/** 503 (rule 33): a download can be tried again, and a job is. */
const unavailable = () => new HttpError(503, [{ code: 'unavailable' }], 10)

async function ask(paper: DocumentInput | StatementInput): Promise<Documents> {
  clearTimeout(idle)
  const asked = (worker ??= start())
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    asked.postMessage(paper)
    const said: unknown[] = await once(asked, 'message', { signal })
    const [answer] = said
    if (!isAnswer(answer)) throw new Error('documents: the thread answers something else')
    if ('error' in answer) throw new Error(`documents: ${answer.error}`)
    return answer.documents
  } catch (error) {
    if (!signal.aborted) throw error
    // A thread that is stuck must not answer the next request.
    end()
    throw Object.assign(unavailable(), { cause: error })
  } finally {
    idle = setTimeout(end, IDLE_MS).unref()
  }
}

/** True for an answer of worker-thread.ts. A message is a structured clone, so the documents arrive as the thread made them. */
const isAnswer = (answer: unknown): answer is Answer =>
  typeof answer === 'object' && answer !== null && ('documents' in answer || 'error' in answer)

function start(): Worker {
  const started = new Worker(new URL('worker-thread.ts', import.meta.url))
  started.unref()
  started.on('error', () => {})
  started.on('exit', () => {
    if (worker === started) worker = undefined
  })
  return started
}

function end(): void {
  void worker?.terminate()
  worker = undefined
}
