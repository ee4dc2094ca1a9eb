/** The thread that decodes pictures of phones: it gets a path, answers one picture, and is ended by whoever began it. */
import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import libheif from 'libheif-js/wasm-bundle.js'
import * as z from 'zod/mini'

// A picture of 25 megapixels takes some 250 MB while it is read; more than this is refused by the memory itself, whatever a file claims.
const MOST_PIXELS = 25_000_000
const MOST_PAGES = 512 * 16

const { grow } = WebAssembly.Memory.prototype
WebAssembly.Memory.prototype.grow = function bounded(pages) {
  if (this.buffer.byteLength / 65_536 + pages > MOST_PAGES) throw new RangeError('out of memory')
  return grow.call(this, pages)
}

const pictures = new libheif.HeifDecoder().decode(await readFile(z.parse(z.string(), workerData)))
const picture = pictures.find((one) => one.is_primary()) ?? pictures[0]
if (!picture) throw new Error('the file holds no picture')
const [width, height] = [picture.get_width(), picture.get_height()]
if (width * height > MOST_PIXELS) throw new RangeError('the picture is too large')
const drawn = await new Promise<{ data: Uint8ClampedArray<ArrayBuffer> } | null>((resolve) => {
  picture.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, resolve)
})
if (!drawn) throw new Error('the picture cannot be read')
parentPort?.postMessage({ data: drawn.data, width, height }, [drawn.data.buffer])
