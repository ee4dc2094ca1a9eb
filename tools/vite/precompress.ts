import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes a `.br` and a `.gz` beside every text file, so that the server never compresses the same bytes twice. */
export function precompress(): Plugin {
  return {
    name: 'hostdesk:precompress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) =>
          /\.(js|css|svg|html|json)$/u.test(fileName),
        )
        for (const file of files) {
          const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          if (bytes.length < SMALLEST) continue
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: await brotli(bytes) })
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.gz`,
            source: await zip(bytes, { level: 9 }),
          })
        }
      },
    },
  }
}

// A file that is smaller than a network packet gains nothing.
const SMALLEST = 1024

const zip = promisify(gzip)

const brotli = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  })
