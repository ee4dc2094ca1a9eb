import { counter } from '#foundation/server/operation/metrics.ts'
import type { Storage } from './store.ts'

const errors = counter(
  'hostdesk_storage_errors_total',
  'Files that could not be kept, opened, removed or listed: a full disk, or a bucket that does not answer.',
  ['operation'],
)

/** Returns the same storage with its errors counted for `/metrics`. */
export function countErrors(storage: Storage): Storage {
  const counted = async <T>(operation: string, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      errors.add({ operation })
      throw error
    }
  }
  return {
    get incoming() {
      return storage.incoming
    },
    keep: (key, from) => counted('keep', storage.keep(key, from)),
    open: (key) => counted('open', storage.open(key)),
    remove: (key) => counted('remove', storage.remove(key)),
    async *list() {
      try {
        yield* storage.list()
      } catch (error) {
        errors.add({ operation: 'list' })
        throw error
      }
    },
  }
}
