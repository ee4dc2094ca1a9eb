import { Client, type Options, type Reply } from './client.ts'
import { untilAnswered } from './until-answered.ts'

/** A client that asks again while the product is too busy (503). A kill breaks its connection all the same. */
export class PatientClient extends Client {
  override copy(): Client {
    return Object.assign(new PatientClient(this.url), this)
  }

  override send<Body>(method: string, path: string, body: unknown, options: Options): Promise<Reply<Body>> {
    return untilAnswered(() => super.send<Body>(method, path, body, options))
  }
}
