import type { ReceivedFile } from '#foundation/server/http/receive-file.ts'

const UNKNOWN = 'application/octet-stream'

// Of what programs show without running it. Markup, scripts and programs are not among them.
const signatures =
  /^(?:(?:image|audio|video|font)\/(?!svg)[\w.-]+|application\/(?:pdf|zip|gzip|zstd|x-(?:7z|rar)-compressed|x-(?:tar|xz|bzip2)|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)[\w.-]+))$/

/**
 * The media type as the bytes tell it; what the sender says counts for nothing. What a browser might run is told as
 * unknown bytes, though it is only sent as a download.
 */
export async function typeOf({ head, is_text }: Pick<ReceivedFile, 'head' | 'is_text'>): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  // A reader of a hundred formats may stumble over a broken file; then the file is just bytes.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  if (found) return signatures.test(found.mime) ? found.mime : UNKNOWN
  return is_text ? 'text/plain' : UNKNOWN
}
