import { canonicalJson } from '#foundation/canonical-json.ts'

// Each kind of signed text begins with a line of its own, so that no signature passes for one of another kind.

/** The text that a statement's signature is about; `body` is canonical already. */
export const statementMessage = ({ proof, root, body }: Unsigned): string =>
  `hostdesk-statement-1\n{"proof":${canonicalJson(proof)},"root":"${root}","statement":${body}}`

export type Unsigned = { proof: readonly string[]; root: string; body: string }

/** The file of a statement. Its members are in the order of their names, so that it is canonical as a whole. */
export function statementFile({
  proof,
  root,
  body,
  kid,
  signature,
}: Unsigned & { kid: string; signature: string }): string {
  const signed = canonicalJson({ alg: 'Ed25519', key: kid, value: signature })
  return `{"proof":${canonicalJson(proof)},"root":"${root}","signature":${signed},"statement":${body}}`
}

export const rootMessage = (about: { issuer: string; month: string; root: string }): string =>
  `hostdesk-statement-root-1\n${canonicalJson(about)}`

const PDF_HEAD = Buffer.from('hostdesk-statement-pdf-1\n')

/**
 * Signs a whole PDF: the signature stands in a comment before the last `startxref`, which moves no object, and is about all other bytes. A reader
 * takes the comment out and checks the rest.
 */
export function signedPdf(pdf: Uint8Array, kid: string, sign: (message: Buffer) => string): Buffer {
  const bytes = Buffer.from(pdf)
  const at = bytes.lastIndexOf('startxref')
  if (at < 0 || bytes.includes('%hostdesk-statement ')) throw new Error('this is no PDF as pdfkit writes it')
  const comment = `%hostdesk-statement ${kid} ${sign(Buffer.concat([PDF_HEAD, bytes]))}\n`
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(comment), bytes.subarray(at)])
}
