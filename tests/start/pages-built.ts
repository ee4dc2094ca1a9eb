import { buildIfStale } from '#tools/build.ts'

/** Once a run, as the checkout's owner: the tests below start the product also as users who may not build. */
export async function setup(): Promise<void> {
  await buildIfStale(process.cwd(), () => {})
}
