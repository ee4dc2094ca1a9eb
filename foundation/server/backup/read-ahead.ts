/** The same items; the next is read while the caller works on one, so that a database and this process both have work. */
export async function* readAhead<Item>(source: AsyncGenerator<Item>): AsyncGenerator<Item> {
  const begin = () => {
    const reading = source.next()
    // It is awaited below, in its turn.
    reading.catch(() => {})
    return reading
  }
  let reading = begin()
  try {
    for (;;) {
      const result = await reading
      if (result.done === true) return
      reading = begin()
      yield result.value
    }
  } finally {
    await source.return(undefined)
  }
}
