import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

// A file is kept packed: a statement of 1 MB takes 50 kB.

export const packed = (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes)

export const unpacked = (content: Buffer): Promise<Buffer> => promisify(gunzip)(content)
