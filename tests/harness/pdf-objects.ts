import { inflateSync } from 'node:zlib'

export type PdfObject = { id: string; head: string; stream: Buffer | undefined }

/** Returns the objects of a PDF by pdfkit, which writes no object streams. Deflated streams are inflated. */
export function pdfObjects(pdf: Uint8Array): PdfObject[] {
  const text = Buffer.from(pdf).toString('latin1')
  return [...text.matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs)].map(([, id = '', body = '']) => {
    const at = body.indexOf('\nstream\n')
    if (at < 0) return { id, head: body, stream: undefined }
    const head = body.slice(0, at)
    const raw = Buffer.from(body.slice(at + 8, body.lastIndexOf('\nendstream')), 'latin1')
    return { id, head, stream: head.includes('/FlateDecode') ? inflateSync(raw) : raw }
  })
}
