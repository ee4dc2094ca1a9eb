import { open, unlink, type FileHandle } from 'node:fs/promises'
import { errorCode } from '#foundation/server/error-code.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'

/**
 * Opens a new file, which its user alone can read, and then does `work`, which fills it: an act is never done whose file cannot be written. A file
 * that is there stays as it is, and one whose work failed is deleted. Throws WrongUse where it cannot be made.
 */
export async function inNewFile<T>(target: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(target, 'wx', 0o600).catch((error: unknown) => {
    const isThere = errorCode(error) === 'EEXIST'
    throw new WrongUse(
      isThere ? `${target} is there already. Name another file.` : `${target} cannot be written.`,
    )
  })
  try {
    return await work(file)
  } catch (error) {
    await unlink(target)
    throw error
  } finally {
    await file.close()
  }
}
