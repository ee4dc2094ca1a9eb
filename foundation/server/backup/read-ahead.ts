/** Yields the items of `source`, and reads the next while the caller works on one, so that the database and this process both have work. */
export async function* readAhead<Item>(source: AsyncGenerator<Item>): AsyncGenerator<Item> {
  const begin = () => {
    const reading = source.next()
    // This handler keeps an early error from counting as unhandled; the read is awaited below, in its turn.
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
