/** The host of a URL, which names an endpoint to those who may not read the URL: it may hold a key of the receiver. */
export const urlHost = (url: string): string => URL.parse(url)?.host ?? ''
