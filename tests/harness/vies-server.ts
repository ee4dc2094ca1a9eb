import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** How VIES behaves: it gets the question and writes the response. */
export type ViesBehaviour = (response: http.ServerResponse, asked: Record<string, string>) => void

export type ViesServer = {
  /** The address for `vies(service)`. */
  service: string
  /** All questions with the path of their request, oldest first. */
  asked: Record<string, string>[]
  behave(behaviour: ViesBehaviour): void
  close(): void
}

/** Starts a server on this machine that speaks the published REST interface of VIES. */
export async function startVies(): Promise<ViesServer> {
  const asked: Record<string, string>[] = []
  let behaviour: ViesBehaviour = () => undefined
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const question = JSON.parse(Buffer.concat(parts).toString()) as Record<string, string>
      asked.push({ path: request.url ?? '', ...question })
      behaviour(response, question)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    service: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (next) => {
      behaviour = next
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Makes a behaviour that answers with the VAT id of the question and these fields. */
export const viesAnswers =
  (fields: object, status = 200): ViesBehaviour =>
  (response, { countryCode, vatNumber }) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ countryCode, vatNumber, name: 'Muster GmbH', ...fields }))
  }

const unmatched = Object.fromEntries(
  ['Name', 'Street', 'PostalCode', 'City', 'CompanyType'].flatMap((field) => [
    [`trader${field}`, '---'],
    [`trader${field}Match`, 'NOT_PROCESSED'],
  ]),
)

/** Whole answers as the service sent them in November 2026. */
export const viesWhole = {
  valid: viesAnswers({
    requestDate: '2026-11-24T02:11:35.120Z',
    valid: true,
    requestIdentifier: 'WAPIAAAAY2xkPZQ1',
    name: 'Muster Hosting GmbH',
    address: 'Mariahilfer Straße 90\nAT-1070 Wien',
    ...unmatched,
  }),
  invalid: viesAnswers({
    requestDate: '2026-11-24T02:11:35.120Z',
    valid: false,
    requestIdentifier: '',
    name: '---',
    address: '---',
    ...unmatched,
  }),
  // VIES answers with the status 200 here as well.
  unavailable: ((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] }))
  }) satisfies ViesBehaviour,
}
