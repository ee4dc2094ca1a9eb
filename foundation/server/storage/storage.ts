import path from 'node:path'
import type { Config } from '#foundation/server/config.ts'
import { countErrors } from './counted.ts'
import { storeInBucket } from './in-bucket.ts'
import { storeOnDisk } from './on-disk.ts'
import type { Storage } from './store.ts'

/** Returns the storage in the bucket of the settings, or in a folder of DATA_DIR. Opens nothing before the first use. */
export function openStorage({ bucket, dataDir }: Pick<Config, 'bucket' | 'dataDir'>): Storage {
  const folder = path.join(dataDir, 'files')
  return countErrors(bucket ? storeInBucket(bucket, folder) : storeOnDisk(folder))
}
