import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { launch, launchProduct, type Product, type Start } from './launched.ts'

/** Starts the product as `npm start` does and waits until it answers. Ends it after the test. */
export async function startProduct(start: Start = {}): Promise<Product> {
  const product = await launchProduct(start)
  onTestFinished(async () => void (await product.end('SIGTERM')))
  return product
}

/** Starts the product with settings with which it cannot start. Returns its exit code and the lines of its error stream. */
export async function failToStart(start: Start): Promise<{ code: number | null; said: string[] }> {
  const { child, errors } = launch(start)
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'close')
  return { code: child.exitCode, said: errors().trim().split('\n') }
}
