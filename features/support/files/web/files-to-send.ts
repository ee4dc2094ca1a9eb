import { MOST_BYTES } from '#features/support/files/rules.ts'
import { uploadAttachment } from '#features/support/files/contract.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import type { Attachment } from '#features/support/tickets/contract.ts'
import { listenersOf } from '#foundation/web/listeners.ts'
import { isForPerson } from '#foundation/web/api/seen.ts'
import { upload } from '#foundation/web/api/upload.ts'
import { newId } from '#foundation/web/new-id.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { draftFiles } from './draft-files.ts'
import { toastUploadFailed } from './upload-failed.tsx'

/** A file that is uploading, uploaded (`done`), or refused (`error`). */
export type FileToSend = {
  key: string
  name: string
  /** In bytes. */
  size: number
  /** The uploaded share of the file, from 0 to 1. */
  share: number
  done?: Attachment
  error?: DisplayedError
}

type Shown = {
  all: readonly FileToSend[]
  /** The number of files beyond the limit of a message, which were left out. */
  left_out: number
}

/** The number of parallel uploads: more only make each slower. */
const AT_ONCE = 3

/**
 * The files of a message that is being written. Each is uploaded at once, so that sending the message need not wait. Uploaded files
 * are kept with the draft, so that a reload does not lose them. Without a network, uploads wait for the network.
 */
export class FilesToSend {
  readonly #draft: string | undefined
  readonly #files = new Map<string, File>()
  readonly #running = new Map<string, AbortController>()
  readonly #listeners = listenersOf()
  #shown: Shown

  /** `draft`: the name under which uploaded files are kept; undefined keeps nothing. */
  constructor(draft?: string) {
    this.#draft = draft
    const kept = draft === undefined ? [] : draftFiles.read(draft)
    this.#shown = { all: kept.map(asDone), left_out: 0 }
  }

  readonly shown = (): Shown => this.#shown

  readonly subscribe = this.#listeners.add

  readonly add = (files: Iterable<File> | null): void => {
    const given = [...(files ?? [])]
    if (given.length === 0) return
    const { all } = this.#shown
    const taken = given.slice(0, Math.max(0, lengths.attachments - all.length))
    const added = taken.map((file): FileToSend => {
      const key = newId()
      const error = refusalOf(file)
      if (!error) this.#files.set(key, file)
      return { key, name: file.name, size: file.size, share: 0, ...(error ? { error } : {}) }
    })
    this.#set({ all: [...all, ...added], left_out: given.length - taken.length })
    this.#goOn()
  }

  readonly retry = (key: string): void => {
    this.#change(key, ({ error: _error, ...file }) => ({ ...file, share: 0 }))
    this.#goOn()
  }

  /** Starts uploads again that failed without a network, once the network is back. */
  readonly retryUnreached = (): void => {
    for (const { key, error } of this.#shown.all) if (error?.code === 'network') this.retry(key)
  }

  readonly remove = (key: string): void => {
    this.#running.get(key)?.abort()
    this.#files.delete(key)
    this.#set({ all: this.#shown.all.filter((file) => file.key !== key), left_out: 0 })
  }

  /** Returns the uploaded files for the message, and empties the list for the next message. */
  take(): Attachment[] {
    const taken = this.#shown.all.flatMap(({ done }) => done ?? [])
    this.#files.clear()
    this.#set({ all: [], left_out: 0 })
    return taken
  }

  /** True while a file is still uploading. */
  readonly busy = (): boolean => this.#shown.all.some(({ done, error }) => !done && !error)

  /** Resolves with the uploaded files once no file is uploading any more; with undefined if one failed. */
  async settled(): Promise<Attachment[] | undefined> {
    while (this.busy())
      await new Promise<void>((resolve) => {
        const stop = this.subscribe(() => {
          stop()
          resolve()
        })
      })
    const { all } = this.#shown
    return all.every(({ done }) => done) ? all.flatMap(({ done }) => done ?? []) : undefined
  }

  /** Aborts running uploads; finished ones stay with the draft. */
  stop(): void {
    for (const giveUp of this.#running.values()) giveUp.abort()
  }

  #goOn(): void {
    for (const { key, done, error } of this.#shown.all) {
      const file = this.#files.get(key)
      if (this.#running.size >= AT_ONCE) return
      if (file && !done && !error && !this.#running.has(key)) void this.#send(key, file)
    }
  }

  async #send(key: string, file: File): Promise<void> {
    const giveUp = new AbortController()
    this.#running.set(key, giveUp)
    const onProgress = (share: number) => this.#show(this.#with(key, (one) => ({ ...one, share })))
    const answer = await upload(uploadAttachment, file, { signal: giveUp.signal, onProgress })
    this.#running.delete(key)
    // The files of one person are none of the next one's drafts.
    if (!isForPerson(answer)) return this.stop()
    if (answer.status === 201) {
      this.#files.delete(key)
      const { body: done } = answer
      this.#change(key, (one) => ({ ...one, share: 1, done }))
    } else if (!giveUp.signal.aborted) {
      this.#change(key, (one) => ({ ...one, error: answer.errors[0] ?? { code: 'unknown' } }))
      toastUploadFailed(file.name, answer)
    }
    this.#goOn()
  }

  #change(key: string, change: (file: FileToSend) => FileToSend): void {
    this.#set(this.#with(key, change))
  }

  #with(key: string, change: (file: FileToSend) => FileToSend): Shown {
    return { ...this.#shown, all: this.#shown.all.map((file) => (file.key === key ? change(file) : file)) }
  }

  #set(shown: Shown): void {
    const done = shown.all.flatMap((file) => file.done ?? [])
    if (this.#draft !== undefined) draftFiles.write(this.#draft, done)
    this.#show(shown)
  }

  #show(shown: Shown): void {
    this.#shown = shown
    this.#listeners.notify()
  }
}

const asDone = (done: Attachment): FileToSend => ({
  key: done.id,
  name: done.name,
  size: done.size,
  share: 1,
  done,
})

/** Returns the error of a file that the server would refuse in any case. */
function refusalOf({ size }: File): DisplayedError | undefined {
  if (size === 0) return { code: 'empty_file' }
  return size > MOST_BYTES ? { code: 'too_large' } : undefined
}
