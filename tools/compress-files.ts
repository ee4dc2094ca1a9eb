import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Writes a `.br` and a `.gz` beside every text file of a folder, so that the server never compresses the same bytes twice. */
export async function compressFiles(folder: string): Promise<void> {
  const compress = async (name: string) => {
    const file = path.join(folder, name)
    const bytes = readFileSync(file)
    if (bytes.length < SMALLEST) return
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
    writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
  await Promise.all(globSync('**/*.{js,css,svg,html}', { cwd: folder }).map(compress))
}

// A file that is smaller than a network packet gains nothing.
const SMALLEST = 1024

const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
