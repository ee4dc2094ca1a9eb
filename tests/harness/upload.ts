import type { Attachment } from '#features/support/tickets/contract.ts'
import type { Client, Reply } from './client.ts'

export type Refused = { status: number; errors: { code: string }[] }

/** Uploads a file as a page does; without a `name`, under a name that gives no type away. */
export async function upload<Body = Attachment>(
  api: Client,
  bytes: string | Uint8Array,
  name = 'file.bin',
  query = '',
): Promise<Reply<Body>> {
  const form = new FormData()
  form.append('file', new Blob([bytes as BlobPart]), name)
  return sendForm<Body>(api, form, {}, query)
}

/** Sends any body to the upload call, also one that no page of the product sends. */
export async function sendForm<Body = Refused>(
  { url, access_token }: Client,
  body: FormData | Uint8Array | string,
  headers: Record<string, string> = {},
  query = '',
): Promise<Reply<Body>> {
  const response = await fetch(`${url}/api/attachments/${query}`, {
    method: 'POST',
    headers: { ...(access_token ? { authorization: `Bearer ${access_token}` } : {}), ...headers },
    body: body as BodyInit,
  })
  return { status: response.status, body: (await response.json()) as Body, headers: response.headers }
}

/** Requests a file, or its preview. Returns the status, the headers and the bytes of the answer. */
export async function download(
  { url, access_token }: Client,
  id: string,
  part: '' | 'preview' = '',
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(`${url}/api/attachments/${id}/${part}`, {
    headers: access_token ? { authorization: `Bearer ${access_token}` } : {},
  })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}
